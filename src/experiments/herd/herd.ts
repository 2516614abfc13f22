import { isRandomReplaced } from '../../clock/index.js'
import type { FleetRun } from '../../guarantees/fleet/model.js'
import { type Metrics, separations, spreadsOf } from '../compare.js'
import type { LiveClient } from '../fleet/model.js'
import { type Fleet, type FleetRequestPlan, type FleetRunRecord, runFleet } from '../fleet/run-fleet.js'
import { requireStrategies } from '../runs.js'
import { spread } from '../stats.js'
import { type MeasuredHerd, measureHerd } from './figures.js'
import {
  HERD_METRICS,
  type HerdComparison,
  type HerdFigures,
  type HerdOptions,
  type HerdReport,
  type HerdSetting,
} from './model.js'
import { type ResolvedHerd, resolveHerd } from './options.js'
import { publishedOrders, publishedRuns } from './published.js'
import { HerdServerModel } from './server-model.js'
import { HERD_STRATEGIES, type HerdStrategy } from './strategies.js'

const REQUEST: FleetRequestPlan = { method: 'POST', path: '/v1/generate', body: '{"prompt":"hi"}' }
/** What tells strategies apart. */
const COMPARED: Metrics<HerdFigures> = {
  successRate: (run) => run.successRate,
  p95Ms: (run) => run.p95Ms,
  'asPublished.successRate': (run) => run.asPublished.successRate,
  'asPublished.lastAttemptP95Ms': (run) => run.asPublished.lastAttemptP95Ms,
}

/**
 * Runs many clients of one kind against a server with finite capacity, in virtual time: what retries do to everybody else.
 *
 * @param options clients, requests, server, `strategy` or `client`; times in milliseconds; the defaults are the herd case
 * @returns every figure as median, min and max over the runs; the same options give the same figures
 * @throws ExperimentOptionsError naming the option; ClientSetupError for a client that is none
 * @example
 * const storm = await herd({ clients: 10, requestsEach: 20, strategy: 'fixed', runs: 5 })
 * storm.successRate.median
 */
export async function herd(options: HerdOptions): Promise<HerdReport> {
  return runHerd(resolveHerd('herd(options)', options))
}

/**
 * Runs the same herd with several strategies and the same seeds, and says which of them the model tells apart.
 *
 * @param options as for `herd`, with `strategies` (default: all) in place of `strategy`
 * @throws ExperimentOptionsError naming the option
 * @example
 * const { separations } = await compareHerd({ strategies: ['fixed', 'full-jitter'], runs: 5 })
 */
export async function compareHerd({
  strategies = HERD_STRATEGIES,
  ...options
}: Omit<HerdOptions, 'strategy' | 'client'> & { readonly strategies?: readonly HerdStrategy[] } = {}): Promise<HerdComparison> {
  const reports: HerdReport[] = []
  requireStrategies('compareHerd(options)', strategies, HERD_STRATEGIES)
  const plans = strategies.map((strategy) => resolveHerd('compareHerd(options)', { ...options, strategy }))
  for (const plan of plans) reports.push(await runHerd(plan))
  const pairs = separations(reports, COMPARED)
  const published = publishedOrders(publishedRuns(reports[0]!.options), pairs)
  return { kind: 'herd-comparison', reports, separations: pairs, published }
}

async function runHerd(herd: ResolvedHerd): Promise<HerdReport> {
  const { setting, client, strategy, onProgress } = herd
  const figures: HerdFigures[] = []
  const runs: FleetRun[] = []
  let first: MeasuredHerd | undefined
  for (const [i, seed] of setting.seeds.entries()) {
    const measured = measureHerd(seed, setting, await runOnce(herd, seed))
    first ??= measured
    figures.push(measured.figures)
    runs.push(measured.run)
    onProgress?.(i + 1, setting.seeds.length, client.name)
  }
  const recoveries = figures.map(({ recoveryMs }) => recoveryMs).filter((ms) => ms !== null)
  return {
    kind: 'herd',
    client: client.name,
    options: setting,
    ...spreadsOf(HERD_METRICS, figures),
    recoveryMs: recoveries.length === 0 ? null : spread(recoveries),
    recovered: recoveries.filter(Number.isFinite).length,
    asPublished: {
      successRate: spread(figures.map((run) => run.asPublished.successRate)),
      lastAttemptP95Ms: spread(figures.map((run) => run.asPublished.lastAttemptP95Ms)),
    },
    published: strategy === undefined ? null : (publishedRuns(setting)[strategy] ?? null),
    errors: addUp(figures.map(({ errors }) => errors)),
    timeline: first!.timeline,
    phases: first!.phases,
    figures,
    fleet: { kind: 'herd', client: client.name, runs, ...(isRandomReplaced() ? { randomReplaced: true } : {}) },
  }
}

function runOnce({ setting, client }: ResolvedHerd, seed: number): Promise<FleetRunRecord> {
  const { clients, requestsEach, server, transport } = setting
  const plan = { seed, transport, client, calls: clients * requestsEach, model: new HerdServerModel(server, seed) }
  return runFleet(plan, async (fleet) => {
    const members = Array.from({ length: clients }, (_, index) => member(fleet, setting, index))
    await Promise.all(members)
  })
}

/** One client of the herd, from its start to its last answer. */
async function member(fleet: Fleet, setting: HerdSetting, index: number): Promise<void> {
  const { clients, startOverMs, requestsEach, loop } = setting
  const live = await fleet.create(index)
  if (startOverMs > 0) await fleet.sleep((startOverMs * index) / clients)
  const calls = Array.from({ length: requestsEach }, (_, i) => index * requestsEach + i)
  await (loop === 'closed' ? oneAfterTheOther : atAFixedRate)(fleet, live, index, calls, setting.pauseMs)
}

type Pace = (fleet: Fleet, live: LiveClient, client: number, calls: readonly number[], pauseMs: number) => Promise<void>

const oneAfterTheOther: Pace = async (fleet, live, client, calls, pauseMs) => {
  for (const [i, call] of calls.entries()) {
    if (i > 0) await fleet.sleep(pauseMs)
    await fleet.perform(live, fleet.submit(call, client), REQUEST)
  }
}

const atAFixedRate: Pace = async (fleet, live, client, calls, pauseMs) => {
  const open: Promise<void>[] = []
  for (const [i, call] of calls.entries()) {
    if (i > 0) await fleet.sleep(pauseMs)
    open.push(fleet.perform(live, fleet.submit(call, client), REQUEST))
  }
  await Promise.all(open)
}

function addUp(mixes: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const mix of mixes) for (const [kind, count] of Object.entries(mix)) sum[kind] = (sum[kind] ?? 0) + count
  return sum
}
