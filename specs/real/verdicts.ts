import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { RealClient } from '../../fixtures/clients/known/model.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { judge } from '../../src/guarantees/judge.js'
import type { GuaranteeId, VerdictKind } from '../../src/guarantees/model.js'
import type { Trial } from '../../src/trace/model.js'
import { play } from './play.js'
import { SCENARIOS, type Scenario } from './scenarios.js'

/** A row of the table of verdicts, as printed; null = this configuration does not retry that. */
export interface VerdictRow {
  readonly client: string
  readonly method: string
  readonly noRetryOf4xx: string
  readonly status501: string
  readonly retryAfter: string | null
  readonly retryAfter86400: string | null
  readonly timeoutIs: string
  readonly stalledBody: string
  readonly postRetried: string | null
  readonly backoff: string | null
  readonly attempts: string
  readonly abortInBackoff: string | null
}

export const VERDICTS: readonly VerdictRow[] = JSON.parse(
  readFileSync(new URL('../../fixtures/real-clients/v.json', import.meta.url), 'utf8'),
)

type Run = (scenario: Scenario, seed?: number) => Promise<Trial>

const scenario = (heading: string): Scenario => SCENARIOS[heading]!

/** Words of the table: "1.4s" in ms. */
const secondsIn = (text: string): number => Number(/([\d.]+)s/.exec(text)![1]) * 1000

function verdict(trial: Trial, guarantee: GuaranteeId, contract: Contract = {}): VerdictKind {
  return judge(trial, contract, [guarantee])[0]!.kind
}

/** The names of the scenarios on which a guarantee has this verdict. */
async function having(
  kind: VerdictKind,
  run: Run,
  scenarios: Readonly<Record<string, Scenario>>,
  guarantee: GuaranteeId,
  contract: Contract = {},
): Promise<string[]> {
  const names: string[] = []
  for (const [name, one] of Object.entries(scenarios)) if (verdict(await run(one), guarantee, contract) === kind) names.push(name)
  return names
}

const STATUSES_4XX = Object.fromEntries([404, 400, 401, 403, 422].map((status) => [String(status), scenario(String(status))]))

/** The names that the table gives to its hints. */
const HINTS: Readonly<Record<string, Scenario>> = {
  '429:2': scenario('429 RA 2'),
  '503:2': scenario('503 RA 2'),
  date: scenario('503 RA date +3..4 s'),
  '20': scenario('503 RA 20'),
}

/** undici measures its timeouts with a timer of about 500 ms. */
const COARSE_MS = 500

async function permanence(printed: string, run: Run): Promise<void> {
  const retried = printed === 'ok' ? [] : printed.replace('RETRIED ', '').split(',')
  expect(await having('fail', run, STATUSES_4XX, 'permanence')).toEqual(expect.arrayContaining(retried))
  expect(await having('pass', run, STATUSES_4XX, 'permanence')).toHaveLength(5 - retried.length)
}

async function status501(printed: string, run: Run): Promise<void> {
  const trial = await run(scenario('501'))
  // Not to repeat a 501 is engineering judgement: it fails only where the contract is strict.
  expect(verdict(trial, 'permanence', { strict: true })).toBe(printed === 'no' ? 'pass' : 'fail')
  expect(verdict(trial, 'permanence')).not.toBe('fail')
}

async function hint(printed: string | null, run: Run): Promise<void> {
  // "NO (503:2→0.5s, date→0.5s)": the hints that were not kept, and the waits in their place.
  const broken = printed?.startsWith('NO') ? [...printed.matchAll(/(\S+)→/g)].map((match) => match[1]!.replace('(', '')) : []
  expect((await having('fail', run, HINTS, 'hint')).toSorted()).toEqual(broken.toSorted())
  if (printed === 'yes') expect(await having('pass', run, HINTS, 'hint')).toEqual(Object.keys(HINTS).toSorted())
  if (printed === null) expect(await having('pass', run, HINTS, 'hint')).toEqual([])
}

async function longHint(printed: string | null, run: Run): Promise<void> {
  const trial = await run(scenario('503 RA 86400'))
  expect(verdict(trial, 'hint') === 'fail').toBe(printed?.startsWith('EARLY') ?? false)
  if (printed?.startsWith('waits')) expect(verdict(trial, 'abort')).toBe(printed.includes('IGNORED') ? 'fail' : 'pass')
}

async function timeout(printed: string, run: Run): Promise<void> {
  const slow = scenario('3 s late always, timeout 1 s')
  const trial = await run(slow)
  const isTotal = printed.startsWith('total')
  expect(verdict(trial, 'deadline', { deadlineMs: 1000 + COARSE_MS })).toBe(isTotal ? 'pass' : 'fail')
  const requests = Number(/(\d) requests?/.exec(printed)?.[1] ?? 1)
  expect(trial.attempts.filter(({ arrivedAtMs }) => arrivedAtMs < slow.capMs!)).toHaveLength(requests)
}

async function stalledBody(printed: string, run: Run): Promise<void> {
  const trial = await run(scenario('body stalls x1, timeout 1 s'))
  if (printed === 'RESOLVES (!)') {
    // The client hung up in the middle of the body, and reported what it had as the answer.
    expect([trial.outcome.kind, trial.attempts[0]!.result, trial.attempts[0]!.answerComplete]).toEqual(['resolved', 200, false])
    return
  }
  const deadlineMs = printed === 'HANGS' ? 14_000 : secondsIn(printed) + COARSE_MS
  expect(verdict(trial, 'deadline', { deadlineMs })).toBe(printed === 'HANGS' ? 'fail' : 'pass')
}

const LOST: Readonly<Record<string, Scenario>> = {
  timeout: { schedule: [{ status: 200, delayMs: 3000 }, 200], timeoutMs: 1000, capMs: 15_000 },
  '503': scenario('503x1'),
  reset: { schedule: [{ fault: 'reset', apply: true }, 200] },
  'mid-body reset': { schedule: [{ fault: 'reset-body', apply: true }, 200] },
}

async function unsafeReplay(printed: string | null, run: Run): Promise<void> {
  if (printed === null) return
  const [faults, key] = printed === 'never' ? ['', 'never'] : printed.split(': ')
  const resent = faults === '' ? [] : faults!.split('+')
  // strict: the 503, where the work was probably not done, is a 'should'.
  const failing = await having('fail', run, LOST, 'unsafe-replay', { strict: true })
  const passing = await having('pass', run, LOST, 'unsafe-replay', { strict: true })
  // A PUT may be repeated (RFC 9110 §9.2.2): nothing is unsafe, and nothing was proven safe.
  if (key === 'PUT (idempotent)') expect([failing, passing]).toEqual([[], []])
  else if (key === 'NO KEY') expect(failing.toSorted()).toEqual(resent.toSorted())
  else expect([failing, passing.toSorted()]).toEqual([[], Object.keys(LOST).toSorted()])
  for (const fault of resent) expect((await run(LOST[fault]!)).attempts.length, fault).toBeGreaterThan(1)
}

async function backoff(printed: string | null, run: Run): Promise<void> {
  const waits = new Set<string>()
  const longest: number[] = []
  for (const seed of [1, 2, 3, 4, 5]) {
    const { gapsMs } = await run(scenario('always 503'), seed)
    waits.add(gapsMs.slice(0, 3).join('/'))
    longest.push(...gapsMs.map(Number))
  }
  if (printed === null) expect(longest).toEqual([])
  else if (printed === 'NO DELAY') expect(Math.max(...longest)).toBeLessThanOrEqual(1)
  else expect(waits.size > 1).toBe(printed.startsWith('jittered'))
}

async function attempts(printed: string, run: Run): Promise<void> {
  const trial = await run(scenario('always 503'))
  const count = Number.parseInt(printed, 10)
  const isOpen = printed.endsWith('+')
  expect(verdict(trial, 'attempts', { maxAttempts: count - (isOpen ? 1 : 0) })).toBe(isOpen ? 'fail' : 'pass')
  if (!isOpen && count > 1) expect(verdict(trial, 'attempts', { maxAttempts: count - 1 })).toBe('fail')
}

async function abort(printed: string | null, run: Run): Promise<void> {
  if (printed === null) return
  const kind = { 'at once': 'pass', 'no signal option': 'inconclusive' }[printed] ?? 'fail'
  expect(verdict(await run(scenario('abort 0.5 s into RA:3 wait')), 'abort')).toBe(kind)
}

const COLUMNS: readonly (readonly [
  heading: string,
  check: (row: VerdictRow, run: Run) => Promise<void>,
  said: keyof VerdictRow,
])[] = [
  ['4xx', (row, run) => permanence(row.noRetryOf4xx, run), 'noRetryOf4xx'],
  ['501', (row, run) => status501(row.status501, run), 'status501'],
  ['Retry-After', (row, run) => hint(row.retryAfter, run), 'retryAfter'],
  ['Retry-After: 86400', (row, run) => longHint(row.retryAfter86400, run), 'retryAfter86400'],
  ['timeout of 1 s', (row, run) => timeout(row.timeoutIs, run), 'timeoutIs'],
  ['stalled body', (row, run) => stalledBody(row.stalledBody, run), 'stalledBody'],
  ['POST re-sent', (row, run) => unsafeReplay(row.postRetried, run), 'postRetried'],
  ['backoff', (row, run) => backoff(row.backoff, run), 'backoff'],
  ['attempts', (row, run) => attempts(row.attempts, run), 'attempts'],
  ['abort in the wait', (row, run) => abort(row.abortInBackoff, run), 'abortInBackoff'],
]

/** One test per cell of the table of verdicts: the guarantees judge a client as those did who measured it. */
export function describeVerdicts(clients: readonly RealClient[]): void {
  const rows = VERDICTS.flatMap((row) => clients.filter(({ id }) => id === row.client).map((client) => ({ client, row })))
  describe.each(rows)('$row.client $row.method', ({ client, row }) => {
    // Several columns look at the same trial.
    const trials = new Map<string, Promise<Trial>>()
    const run: Run = async (one, seed) => {
      const key = JSON.stringify([one, seed])
      const known = trials.get(key) ?? play(client, row.method, one, seed)
      trials.set(key, known)
      return known
    }
    test.each(COLUMNS.map(([heading, check, said]) => [`${heading}: ${row[said] ?? 'does not apply'}`, check] as const))(
      '%s',
      async (_, check) => check(row, run),
    )
  })
}
