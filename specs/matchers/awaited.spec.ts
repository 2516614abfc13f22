import { expect, test } from 'vitest'
import { runVitest } from '../support/run-vitest.js'

const HEAD = `
import { runTrial } from 'retrial'
import { describe, expect, test } from 'vitest'
const deaf = async (url, init) => {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(url, init)
    if (response.ok || response.status < 429 || attempt === 4) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
`

test('a judgement that nobody awaits fails its test by name, whatever its verdict', async () => {
  const { tests, exitCode } = await runVitest({
    'forgotten.spec.ts': `${HEAD}
      test('forgotten', () => { expect(deaf).toHonorRetryAfter() })
      test('next', () => {})
      test('awaited', async () => { await expect(expect(deaf).toHonorRetryAfter()).rejects.toThrow('toHonorRetryAfter') })
    `,
  })
  expect(exitCode).toBe(1)
  expect(tests.map(({ name, status }) => [name, status])).toEqual([
    ['forgotten', 'failed'],
    ['next', 'passed'],
    ['awaited', 'passed'],
  ])
  expect(tests[0]!.failure).toContain('toHonorRetryAfter was not awaited: write await expect(client).toHonorRetryAfter(...)')
})

test('the trial form judges at once, so a forgotten await still counts', async () => {
  const { tests } = await runVitest({
    'sync.spec.ts': `${HEAD}
      test('sync', async () => {
        const trial = await runTrial(deaf, [{ status: 429, retryAfter: 30 }, 200])
        expect(trial).toHonorRetryAfter()
      })
    `,
  })
  expect(tests[0]!.status).toBe('failed')
  expect(tests[0]!.failure).toContain('toHonorRetryAfter: attempt 2 came 10 ms after a 429 that asked for 30 s')
})

test('a client is refused where nothing can await it', async () => {
  const { tests } = await runVitest({
    'refused.spec.ts': `${HEAD}
      test('asymmetric', () => { expect([deaf]).toEqual([expect.toHonorRetryAfter()]) })
      test('poll', async () => { await expect.poll(() => deaf).toHonorRetryAfter() })
      test('two at once', async () => {
        await Promise.all([expect(deaf).toHonorRetryAfter(), expect(deaf).toNotRetryPermanent()])
      })
    `,
  })
  expect(tests.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
  expect(tests[0]!.failure).toContain('a client cannot be judged inside an asymmetric matcher')
  expect(tests[1]!.failure).toContain('a client cannot be judged by expect.poll')
  expect(tests[2]!.failure).toContain('toNotRetryPermanent: toHonorRetryAfter is still judging a client')
})
