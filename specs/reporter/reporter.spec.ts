import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import RetrialReporter, { type ReportData, type RetrialReporterOptions } from '../../src/reporter/index.js'
import { runVitest } from '../support/run-vitest.js'

const REPORTER = fileURLToPath(new URL('../../src/reporter/index.ts', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'retrial-report-'))
const read = (name: string) => readFileSync(join(out, name), 'utf8')

afterAll(() => rmSync(out, { recursive: true }))

const withOptions = (options: RetrialReporterOptions) => `
import RetrialReporter from '${REPORTER}'
export default class extends RetrialReporter {
  constructor() { super(${JSON.stringify(options)}) }
}
`

const FAILING = `
import { diagnose, runTrial } from 'retrial'
import { describeRetryContract } from 'retrial/contract'
import { showInReport } from 'retrial/setup'
import { expect, test } from 'vitest'
const deaf = async (url, init) => {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(url, init)
    if (response.ok || attempt === 4) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
describeRetryContract('orders', deaf, { maxAttempts: 4 }, { call: { method: 'GET' }, summary: false })
test('too early', async () => {
  const trial = await runTrial(deaf, [{ status: 429, retryAfter: 30 }, 200])
  showInReport('what to do', diagnose([trial]))
  await expect(trial).toHonorRetryAfter()
})
test('ordinary <b>&', async ({ annotate }) => {
  await annotate('of somebody else', { contentType: 'image/svg+xml', body: '<svg onload="alert(1)"/>' })
  const trial = await runTrial(deaf, [503, 200])
  expect(trial.statuses).toEqual([200])
})
test('searched', async () => {
  await expect(deaf).toUphold({ permanent: [404] }, { runs: 20, seed: 1 })
}, 60_000)
test('fine', () => {})
`

describe('after a run with failures', () => {
  let data: ReportData
  let html: string
  let markdown: string

  beforeAll(async () => {
    const summary = join(out, 'summary.md')
    writeFileSync(summary, 'from an earlier step\n')
    process.env.GITHUB_STEP_SUMMARY = summary
    const reporter = withOptions({ html: join(out, 'page/index.html'), json: join(out, 'report.json') })
    const files = { 'a.spec.ts': FAILING, 'unreadable.spec.ts': 'throw new Error("no such thing")', 'reporter.ts': reporter }
    await runVitest(files, ['--reporter=./reporter.ts'])
    delete process.env.GITHUB_STEP_SUMMARY
    data = JSON.parse(read('report.json')) as ReportData
    html = read('page/index.html')
    markdown = read('summary.md')
  }, 120_000)

  const failureOf = (name: string) => data.failures.find((failure) => failure.name === name)!

  test('the data has each failing trial with its picture, its line and its schedule', () => {
    expect(failureOf('too early')).toMatchObject({
      file: 'a.spec.ts',
      line: 18,
      message: expect.stringMatching(/^toHonorRetryAfter: attempt 2 came 1 000 ms after a 429 that asked for 30 s\n/),
      trial: { schedule: '[{"status":429,"retryAfter":30},200]' },
    })
    expect(failureOf('too early').pictures.map((svg) => svg.slice(0, 4))).toEqual(['<svg'])
    expect(failureOf('ordinary <b>&').pictures).toHaveLength(1)
    expect(data.brokenFiles).toEqual([{ file: 'unreadable.spec.ts', message: 'no such thing' }])
  })

  test('the contract is counted by guarantee', () => {
    const [suite] = data.suites
    expect(suite).toMatchObject({ suite: 'orders', client: 'deaf' })
    expect(suite!.cases.find(({ id }) => id === 'CLS-03')).toMatchObject({ status: 'failed', guarantee: 'permanence' })
    expect(html).toContain('<th scope="col">guarantee</th><th>kept</th><th>broken</th>')
    expect(html).toContain('<strong>CLS-03</strong>')
    expect(markdown).toMatch(/\| guarantee \| kept \| broken \|/)
  })

  test('every failing case of a contract has its picture', () => {
    const cases = data.failures.filter(({ name }) => name.startsWith('orders > '))
    expect(cases.length).toBeGreaterThan(3)
    expect(cases.map(({ pictures, line }) => [pictures.length, line])).toEqual(cases.map(() => [1, 14]))
  })

  test('a search shows what it found and what it met', () => {
    expect(data.searches).toEqual([expect.objectContaining({ test: 'searched', kind: 'broken', seed: 1 })])
    expect(html).toContain(data.searches[0]!.coverage.split('\n').at(-1))
    expect(markdown).toContain('### Searches')
  })

  test('what a test asked to show is shown: here a decision table', () => {
    expect(html).toContain('<h3>what to do</h3>')
    expect(markdown).toContain('| observation | count | interpretation | action |')
  })

  test('the page needs no network and runs no script', () => {
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/<script|<link|src=|@import|url\((?!#)/)
    expect(html).not.toMatch(/<[^>]* on\w+=/)
    expect(html).toContain('<h3>ordinary &lt;b&gt;&amp;</h3>')
    expect(html.match(/<svg /g)).toHaveLength(data.failures.flatMap(({ pictures }) => pictures).length)
  })

  test('the job summary is added to what is there, and can be opened failure by failure', () => {
    expect(markdown.split('\n')[0]).toBe('from an earlier step')
    expect(markdown).toContain('<details><summary>too early</summary>')
    expect(markdown).toContain('#2 → POST /   key k-1          ✗ 29 000 ms too early')
  })
})

test('after a run without failures the page says so', async () => {
  const reporter = withOptions({ html: join(out, 'good.html'), markdown: join(out, 'good.md') })
  await runVitest({ 'a.spec.ts': "import { test } from 'vitest'\ntest('fine', () => {})", 'reporter.ts': reporter }, [
    '--reporter=./reporter.ts',
  ])
  expect(read('good.html')).toContain('<h1>Retrial: <span class="good">nothing broken</span></h1>')
  expect(read('good.md')).toBe('## Retrial: nothing broken\n\n1 test passed, 0 failed, 0 skipped.\n')
})

test('an option that is not known, or no path, is refused by name', () => {
  expect(() => new RetrialReporter({ htm: 'x' } as RetrialReporterOptions)).toThrow(
    'retrial/reporter.htm: unknown option, allowed are html, json, markdown',
  )
  expect(() => new RetrialReporter({ html: true } as unknown as RetrialReporterOptions)).toThrow(
    'retrial/reporter.html: expected a path or false, received true',
  )
})
