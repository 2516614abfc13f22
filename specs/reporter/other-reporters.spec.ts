import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportData } from '../../src/reporter/index.js'
import { makeProject, runIn } from '../support/run-vitest.js'

const REPORTER = fileURLToPath(new URL('../../src/reporter/index.ts', import.meta.url))

const specOf = (seconds: number) => `
import { runTrial } from 'retrial'
import { expect, test } from 'vitest'
const hasty = async (url, init) => {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  return fetch(url, init)
}
test('told to wait ${seconds} s', async () => {
  await expect(await runTrial(hasty, [{ status: 429, retryAfter: ${seconds} }, 200])).toHonorRetryAfter()
})
`

const OWN = `
import RetrialReporter from '${REPORTER}'
export default class extends RetrialReporter {
  constructor() { super({ html: 'page.html', json: 'retrial.json', markdown: 'summary.md' }) }
}
`

const textOf = (seconds: number) => `toHonorRetryAfter: attempt 2 came 1 000 ms after a 429 that asked for ${seconds} s

  rule      RAF-01 (must): do not come back before Retry-After has passed
            RFC 9110 §10.2.3, RFC 6585 §4
  expected  gap ≥ ${seconds} 000 ms
  received  gap = 1 000 ms

     0 ms  #1 → POST /   key k-1
     0 ms  #1 ← 429      Retry-After: ${seconds}
           ⋮  waited 1 s
 1 000 ms  #2 → POST /   key k-1          ✗ ${seconds - 1} 000 ms too early
 1 000 ms  #2 ← 200
 1 000 ms  resolved 200

  replay    [{"status":429,"retryAfter":${seconds}},200]`

let project: string
const read = (name: string) => readFileSync(join(project, name), 'utf8')

beforeAll(async () => {
  project = makeProject({ 'a.spec.ts': specOf(30), 'b.spec.ts': specOf(60), 'own.ts': OWN })
  await Promise.all(['1/2', '2/2'].map((shard) => runIn(project, ['--reporter=blob', `--shard=${shard}`])))
  await runIn(project, [
    '--merge-reports',
    '--reporter=junit',
    '--outputFile.junit=junit.xml',
    '--reporter=json',
    '--outputFile.json=vitest.json',
    '--reporter=./own.ts',
  ])
}, 120_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

test('shards that wrote blobs are merged with their failures told whole, by JUnit and by JSON', () => {
  const junit = read('junit.xml').replaceAll('&quot;', '"').replaceAll('&gt;', '>')
  for (const seconds of [30, 60]) {
    expect(junit).toContain(textOf(seconds))
    expect(JSON.parse(read('vitest.json')).testResults).toContainEqual(
      expect.objectContaining({
        assertionResults: [
          expect.objectContaining({
            failureMessages: [expect.stringContaining(textOf(seconds))],
            meta: { retrial: expect.objectContaining({ matcher: 'toHonorRetryAfter' }) },
          }),
        ],
      }),
    )
  }
})

test('and the page, its data and the summary of merged shards are those of one run, pictures and all', () => {
  const data = JSON.parse(read('retrial.json')) as ReportData
  expect(data.failures.map(({ name, pictures, line }) => [name, pictures.length, line])).toEqual([
    ['told to wait 30 s', 1, 11],
    ['told to wait 60 s', 1, 11],
  ])
  for (const { pictures, message } of data.failures) {
    expect(read('page.html')).toContain(pictures[0])
    expect(read('summary.md')).toContain(message)
  }
})
