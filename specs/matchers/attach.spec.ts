import { expect, test } from 'vitest'
import { runVitest } from '../support/run-vitest.js'

/** Prints what reporters are told of each test. */
const RECORDER = `
export default class {
  onTestCaseResult(test) {
    const annotations = test.annotations().map(({ message, type, location, attachment }) => ({ message, type, line: location?.line, contentType: attachment?.contentType, body: attachment?.body }))
    console.log('SEEN ' + JSON.stringify({ name: test.name, state: test.result().state, annotations, meta: test.meta() }))
  }
}
`

const HEAD = `import { runTrial, serve } from 'retrial'
import { describe, expect, test } from 'vitest'
const EARLY = [{ status: 429, retryAfter: 30 }, 200]
const KEPT = [{ status: 429, retryAfter: 1 }, 200]
const deaf = async (url, init) => {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(url, init)
    if (response.ok || response.status < 429 || attempt === 4) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
`
const HEAD_LINES = HEAD.split('\n').length - 1

interface Seen {
  readonly name: string
  readonly state: string
  readonly annotations: readonly {
    readonly message: string
    readonly type: string
    readonly line: number
    readonly contentType: string
    readonly body: string
  }[]
  readonly meta: {
    readonly retrial?: {
      readonly matcher: string | null
      readonly schedule: string | null
      readonly verdicts: readonly { readonly guarantee: string; readonly kind: string; readonly text: string }[]
      readonly timeline: readonly string[]
    }
  }
}

/** Runs the tests and says what each of them carries, by name. Lines count from the first one of `body`. */
async function seenOf(body: string): Promise<Map<string, Seen>> {
  const files = { 'a.spec.ts': HEAD + body, 'recorder.mjs': RECORDER }
  const { output } = await runVitest(files, ['--reporter=./recorder.mjs'])
  const seen = [...output.matchAll(/SEEN (.*)/g)].map((match) => JSON.parse(match[1]!) as Seen)
  return new Map(
    seen.map((one) => [
      one.name,
      { ...one, annotations: one.annotations.map((annotation) => ({ ...annotation, line: annotation.line - HEAD_LINES })) },
    ]),
  )
}

const headline = 'attempt 2 came 1 000 ms after a 429 that asked for 30 s'
const shortOf = (seen: Seen | undefined) => [
  seen?.state,
  ...(seen?.annotations ?? []).map(({ message, line }) => [message, line]),
]

test('a failing matcher attaches exactly one picture, at its line', async () => {
  const seen = await seenOf(`test('trial', async () => {
  const trial = await runTrial(deaf, EARLY)
  await expect(trial).toHonorRetryAfter()
})
test('not', async () => {
  const trial = await runTrial(deaf, KEPT)
  await expect(trial).not.toHonorRetryAfter()
})
test('soft', async () => {
  const trial = await runTrial(deaf, EARLY)
  await expect.soft(trial).toHonorRetryAfter()
  await expect.soft(trial).toAttemptAtMost(1)
  await expect.soft(trial).toNotReplayUnsafe()
})
test('client', async () => {

  await expect(deaf).toHonorRetryAfter()
})
test('asymmetric', async () => {
  const trial = await runTrial(deaf, EARLY)
  expect({ trial }).toEqual({ trial: expect.toHonorRetryAfter() })
})
test('inconclusive', async () => {
  const trial = await runTrial(deaf, [200])
  await expect(trial).toHonorRetryAfter()
})
test('exact', async () => {
  const trial = await runTrial(deaf, [503, 200])
  await expect(trial).toFollowSchedule([503, 503, 200])
})
test('kept', async () => {
  const trial = await runTrial(deaf, KEPT)
  await expect(trial).toHonorRetryAfter()
})
`)
  expect(shortOf(seen.get('trial'))).toEqual(['failed', [`toHonorRetryAfter: ${headline}`, 3]])
  expect(shortOf(seen.get('not'))).toEqual(['failed', [expect.stringMatching(/^not\.toHonorRetryAfter: kept: /), 7]])
  expect(shortOf(seen.get('soft'))).toEqual([
    'failed',
    [`toHonorRetryAfter: ${headline}`, 11],
    [expect.stringContaining('toAttemptAtMost: attempt 2 was one too many'), 12],
  ])
  // The first case that fails is the shortest hint that is longer than the second the client waits.
  expect(shortOf(seen.get('client'))).toEqual(['failed', [expect.stringMatching(/^toHonorRetryAfter: attempt 2 came /), 17]])
  expect(shortOf(seen.get('asymmetric'))).toEqual(['failed', [`toHonorRetryAfter: ${headline}`, 21]])
  expect(shortOf(seen.get('inconclusive'))).toEqual(['failed', [expect.stringMatching(/^inconclusive: no re-send/), 25]])
  expect(shortOf(seen.get('exact'))).toEqual(['failed', ['toFollowSchedule: attempt 2 came to 200, expected 503', 29]])
  expect(shortOf(seen.get('kept'))).toEqual(['passed'])

  const picture = seen.get('trial')!.annotations[0]!
  expect(picture.contentType).toBe('image/svg+xml')
  expect(Buffer.from(picture.body, 'base64').toString()).toMatch(/^<svg [\s\S]*✗ 29 000 ms too early[\s\S]*<\/svg>\n$/)
})

test('a judgement that was caught or repeated leaves a picture only where it failed the test', async () => {
  const seen = await seenOf(`import { vi } from 'vitest'
const judged = async (seconds) => expect(await runTrial(deaf, [{ status: 429, retryAfter: seconds }, 200])).toHonorRetryAfter()
const caught = async () => { await judged(30).catch(() => undefined) }
let tries = 0
test('caught', caught)
test('expected', async () => { await expect(judged(30)).rejects.toThrow('asked for 30 s') })
const [good, ...bad] = [await runTrial(deaf, KEPT), await runTrial(deaf, EARLY), await runTrial(deaf, [{ status: 429, retryAfter: 31 }, 200])]
test('waited for', async () => { const trials = [...bad, good]; await vi.waitFor(() => expect(trials.shift()).toHonorRetryAfter()) })
test.fails('to fail', () => judged(30))
test('retried', { retry: 1 }, async () => { await judged(tries++ === 0 ? 30 : 1) })
test('retried in vain', { retry: 1 }, () => judged(30))
test('retried for another reason', { retry: { count: 1, condition: /ECONNRESET/ } }, () => judged(30))
test('repeated', { repeats: 2 }, () => judged(30))
test('caught, then failed', async () => { await caught(); await judged(31) })
test('caught, then failed by another trial', async () => { await caught(); expect((await runTrial(deaf, [503])).statuses).toEqual([]) })
test('wrapped', async () => { await judged(32).catch((cause) => { throw new Error('wrapped', { cause }) }) })
test('hidden', async () => { await judged(33).catch(() => { throw new Error('hidden') }) })
test('polled', async () => { await expect.poll(() => bad[0], { timeout: 60, interval: 10 }).toHonorRetryAfter() })
test('waited for in vain', async () => {
  const trials = [...bad]
  await vi.waitFor(() => expect(trials.length > 1 ? trials.shift() : trials[0]).toHonorRetryAfter(), { timeout: 60, interval: 10 })
})
test('twice in one line', async () => {
  for (const one of bad) expect.soft([one]).toEqual([expect.toHonorRetryAfter()])
})
`)
  const titlesOf = (name: string) => seen.get(name)?.annotations.map(({ message }) => message.replace(/^.* that asked /, ''))
  const passing = ['caught', 'expected', 'waited for', 'to fail', 'retried']
  expect(passing.map((name) => shortOf(seen.get(name)))).toEqual(passing.map(() => ['passed']))
  expect(passing.map((name) => seen.get(name)?.meta)).toEqual(passing.map(() => ({})))
  expect(titlesOf('retried in vain')).toEqual(['for 30 s'])
  expect(titlesOf('retried for another reason')).toEqual(['for 30 s'])
  expect(titlesOf('repeated')).toEqual(['for 30 s'])
  expect(titlesOf('caught, then failed')).toEqual(['for 31 s'])
  expect(titlesOf('caught, then failed by another trial')).toEqual(['deaf: 4 attempts, 503, 503, 503, 503'])
  expect(titlesOf('wrapped')).toEqual(['for 32 s'])
  expect(titlesOf('hidden')).toEqual(['for 33 s'])
  expect(titlesOf('polled')).toEqual(['for 30 s'])
  // Which of the two was the last depends on the machine.
  expect(titlesOf('waited for in vain')).toHaveLength(1)
  expect(titlesOf('twice in one line')).toEqual(['for 30 s', 'for 31 s'])
})

test('concurrent tests that judge trials finished before get their own picture', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `judge ${i}`)
  const seen = await seenOf(`const trials = []
for (let i = 0; i < 6; i++) trials.push(await runTrial(deaf, [{ status: 429, retryAfter: 30 + i }, 200]))
describe.concurrent('all at once', () => {
  for (let i = 0; i < 6; i++) {
    test('judge ' + i, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20 * (6 - i)))
      if (i % 2) await expect(trials[i]).toHonorRetryAfter()
      else expect({ trial: trials[i] }).toEqual({ trial: expect.toHonorRetryAfter() })
    })
  }
})
`)
  expect(names.map((name) => seen.get(name)?.annotations.map(({ message }) => message))).toEqual(
    names.map((_, i) => [`toHonorRetryAfter: attempt 2 came 1 000 ms after a 429 that asked for ${30 + i} s`]),
  )
})

test('of a failing property only the smallest run is attached', async () => {
  const seen = await seenOf(`import { faultSchedule, fc } from 'retrial/property'
test('property', async () => {
  await fc.assert(fc.asyncProperty(faultSchedule({ maxSteps: 4 }), async (schedule) => {
    await expect(await runTrial(deaf, schedule)).toUphold({ maxAttempts: 2 })
  }), { seed: 3, numRuns: 40 })
})
`)
  expect(shortOf(seen.get('property'))).toEqual(['failed', [expect.stringMatching(/^toUphold: attempt 3 was one too many/), 4]])
})

test('an ordinary assertion that fails in a test that ran a trial shows its last trial, and has the timeline in its meta', async () => {
  const seen = await seenOf(`test('ordinary', async () => {
  const trial = await runTrial(deaf, EARLY)
  expect(trial.statuses).toEqual([429, 429, 200])
})
test('served', async () => {
  const server = await serve([503, 200])
  try {
    await fetch(server.url)
    expect(server.statuses).toEqual([200])
  } finally { await server.close() }
})
test('without a trial', () => { expect(1).toBe(2) })
test('passes', async () => { await runTrial(deaf, KEPT) })
`)
  expect(shortOf(seen.get('ordinary'))).toEqual(['failed', ['deaf: 2 attempts, 429, 200', 3]])
  expect(shortOf(seen.get('without a trial'))).toEqual(['failed'])
  const meta = seen.get('ordinary')!.meta.retrial!
  expect(meta).toMatchObject({ matcher: null, schedule: '[{"status":429,"retryAfter":30},200]' })
  expect(meta.verdicts.find(({ guarantee }) => guarantee === 'hint')).toEqual({ guarantee: 'hint', kind: 'fail', text: headline })
  expect(meta.timeline).toContain('     0 ms  #1 ← 429      Retry-After: 30')
  expect(seen.get('served')?.meta.retrial?.timeline).toContainEqual(expect.stringContaining('#1 ← 503'))
  expect(seen.get('without a trial')?.meta).toEqual({})
  expect(seen.get('passes')?.meta).toEqual({})
})

test('a failing matcher leaves the same in the meta, with its own verdict', async () => {
  const seen = await seenOf(`test('meta', async () => {
  await expect(await runTrial(deaf, EARLY)).toHonorRetryAfter()
})
`)
  expect(seen.get('meta')?.meta.retrial).toMatchObject({
    matcher: 'toHonorRetryAfter',
    headline: `toHonorRetryAfter: ${headline}`,
    verdicts: [{ guarantee: 'hint', kind: 'fail', text: headline }],
  })
})

test('the fixtures of retrial/test bind trials to their test, and close what was served', async () => {
  const seen = await seenOf(`import { test as bound } from 'retrial/test'
let url
bound('served', async ({ serve, expect }) => {
  const server = await serve([503, 200])
  url = server.url
  expect((await fetch(url)).status).toBe(200)
})
test('closed after it', async () => {
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
bound('tried', async ({ trial, expect }) => {
  await expect(await trial(deaf, EARLY)).toHonorRetryAfter()
})
`)
  expect(seen.get('served')?.meta.retrial?.timeline).toContainEqual(expect.stringContaining('#1 ← 503'))
  expect(seen.get('closed after it')?.state).toBe('passed')
  expect(shortOf(seen.get('tried'))).toEqual(['failed', [`toHonorRetryAfter: ${headline}`, 12]])
})
