import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { TestCase, TestModule } from 'vitest/node'
import type { CaseMeta, RetrialMeta, RetrialTaskMeta, SearchMeta, ShownTable } from '../report/meta.js'

/** A test that failed, with what is known of its trial. */
export interface FailedTest {
  readonly name: string
  /** Relative to the root of the project. */
  readonly file: string
  readonly line: number | null
  readonly message: string
  /** SVG documents, in the order in which they were attached. */
  readonly pictures: readonly string[]
  readonly trial: RetrialMeta | null
}

/** One contract suite. */
export interface SuiteSummary {
  readonly suite: string
  readonly client: string
  readonly catalogue: string
  readonly cases: readonly CaseMeta[]
}

export interface SearchSummary extends SearchMeta {
  readonly test: string
}

/** Everything that the page, the summary and the JSON file show. */
export interface ReportData {
  readonly format: 'retrial-report'
  readonly version: 1
  readonly counts: { readonly passed: number; readonly failed: number; readonly skipped: number }
  /** Test files that could not be run, with the first line of the reason. */
  readonly brokenFiles: readonly { readonly file: string; readonly message: string }[]
  readonly suites: readonly SuiteSummary[]
  readonly failures: readonly FailedTest[]
  readonly searches: readonly SearchSummary[]
  readonly tables: readonly (ShownTable & { readonly test: string })[]
}

/** The timeline of a failing test's trial, unless the message has it already. */
export function timelineOf({ message, trial }: Pick<FailedTest, 'message' | 'trial'>): string | null {
  const timeline = trial?.timeline.join('\n')
  return timeline === undefined || message.includes(timeline) ? null : timeline
}

const SVG = 'image/svg+xml'

const metaOf = (test: TestCase): RetrialTaskMeta => test.meta() as RetrialTaskMeta
const plain = (text: string): string => stripVTControlCharacters(text)

/** Reads what Retrial has left in the tests of a run, file by file in the order of their names: workers end in any order. */
export function collect(unordered: readonly TestModule[], root: string): ReportData {
  const modules = unordered.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const states = tests.map((test) => test.result().state)
  const count = (state: string) => states.filter((one) => one === state).length
  return {
    format: 'retrial-report',
    version: 1,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    brokenFiles: modules.flatMap((module) =>
      module.errors().map(({ message }) => ({ file: relative(root, module.moduleId), message: plain(message).split('\n')[0]! })),
    ),
    suites: suitesOf(tests),
    failures: tests.filter((test) => test.result().state === 'failed').map((test) => failureOf(test, root)),
    searches: tests.flatMap((test) => {
      const found = metaOf(test).retrialSearch
      return found === undefined ? [] : [{ test: test.fullName, ...found }]
    }),
    tables: tests.flatMap((test) => (metaOf(test).retrialTables ?? []).map((shown) => ({ test: test.fullName, ...shown }))),
  }
}

function suitesOf(tests: readonly TestCase[]): SuiteSummary[] {
  const suites = new Map<string, SuiteSummary & { cases: CaseMeta[] }>()
  for (const test of tests) {
    const row = metaOf(test).retrialCase
    if (row === undefined) continue
    const identity = `${test.module.moduleId} ${row.suite}`
    const { suite, client, catalogue } = row
    const summary = suites.get(identity) ?? { suite, client, catalogue, cases: [] }
    summary.cases.push(row)
    suites.set(identity, summary)
  }
  return [...suites.values()]
}

function failureOf(test: TestCase, root: string): FailedTest {
  const errors = test.result().errors ?? []
  const pictures = test.annotations().flatMap(({ type, attachment }) => {
    // Pictures of others may hold scripts: they are not for a page.
    if (type !== 'retrial' || attachment?.contentType !== SVG || attachment.body === undefined) return []
    const { body, bodyEncoding } = attachment
    return [typeof body === 'string' ? decode(body, bodyEncoding) : Buffer.from(body).toString()]
  })
  return {
    name: test.fullName,
    file: relative(root, test.module.moduleId),
    line: lineOf(test),
    message: errors.map(({ message }) => plain(message)).join('\n\n'),
    pictures,
    trial: metaOf(test).retrial ?? null,
  }
}

/** The line of the test file that failed: of the error if its stack comes by there, else of what was attached. */
function lineOf(test: TestCase): number | null {
  const [error] = test.result().errors ?? []
  const frame = error?.stacks?.find(({ file }) => file === test.module.moduleId)
  return frame?.line ?? test.annotations()[0]?.location?.line ?? test.location?.line ?? null
}

const decode = (body: string, encoding: string | undefined): string =>
  encoding === 'utf-8' ? body : Buffer.from(body, 'base64').toString()
