import * as fc from 'fast-check'
import { startStopwatch } from '../clock/stopwatch.js'
import type { Contract } from '../guarantees/contract.js'
import type { GuaranteeId } from '../guarantees/model.js'
import { resolveContract } from '../guarantees/resolve.js'
import { toClient } from '../trial/client.js'
import type { Client, ClientInput } from '../trial/model.js'
import { confirm } from './confirm.js'
import { readCorpus } from './corpus.js'
import { judgeCheaply } from './judge-cheaply.js'
import type { Counterexample, SearchOptions, SearchReport } from './model.js'
import { type ResolvedSearch, resolveSearch } from './options.js'
import { callPlan } from './plans.js'
import { faultSchedule } from './schedules.js'
import { type SearchConstraints, spaceOf } from './space.js'
import type { Search } from './state.js'
import { Tally } from './tally.js'
import { BrokenPromise, Watch } from './watch.js'

/** Runs that say nothing, for each one that does, before the search is given up as empty. */
const MAX_SKIPS_PER_RUN = 10

/**
 * Looks for a schedule and a way to call that make a client break what it promises, and for the smallest one.
 *
 * Each run has a server, a clock and a random seed of its own. The same seed gives the same runs. What is never met is not upheld: a search
 * in which nothing happened that the contract speaks about is inconclusive.
 *
 * @param input a fetch-style function, or what `defineClient` returned
 * @param contract what the client promises. Default: what is always judged
 * @param options runs (default 200), seed (default 1, or RETRIAL_SEED), path, budgetMs (real time), corpus, transport, shard (or
 *   RETRIAL_SHARD), maxSteps (6), maxCalls (4), call, known, onProgress
 * @returns the report; a broken promise is reported, not thrown
 * @throws {SearchOptionsError} for bad options; ContractError, ClientSetupError as `runTrial` does
 * @example
 * const report = await search(client, { maxAttempts: 4 }, { runs: 500, seed: 1 })
 * report.counterexample?.schedule // '[{"status":429,"retryAfter":1}]'
 */
export async function search(input: ClientInput, contract: Contract = {}, options: SearchOptions = {}): Promise<SearchReport> {
  const one = prepare(toClient(input), resolveContract(contract), options)
  const known = await tryCorpus(one)
  return report(one, known ?? (await explore(one)))
}

function prepare(client: Client, contract: Contract, options: SearchOptions): Search {
  const { transport = 'socket', maxSteps, maxCalls, call } = options
  const constraints: SearchConstraints = {
    contract,
    transport,
    maxSteps,
    maxCalls,
    streaming: client.options.streaming,
    methods: call?.method === undefined ? undefined : [call.method],
  }
  const space = spaceOf(constraints)
  const known = new Set(Object.keys({ ...contract.expectedFailures, ...options.known }))
  const judging = { contract, hintHeaders: space.hintHeaders, transport, call, known }
  return {
    client,
    contract,
    options,
    resolved: resolveSearch(options),
    constraints,
    space,
    judging,
    judge: judgeCheaply(client, judging, options.transport),
    tally: new Tally(),
    elapsedMs: startStopwatch(),
  }
}

/** What a search found, before it is made a report. */
interface Found {
  readonly counterexample: Counterexample | null
  readonly isCut: boolean
}

/** Old counterexamples first: what has broken once is the likeliest to break again. */
async function tryCorpus(one: Search): Promise<Found | null> {
  const { client, options, tally, space } = one
  if (options.corpus === undefined || options.path !== undefined) return null
  for (const { schedule, options: plan } of await readCorpus(options.corpus, client.name)) {
    const run = await one.judge({ schedule, plan })
    tally.add(run, space.hintHeaders)
    if (run.broken.length > 0) {
      const about = { found: 'corpus', path: null, runsUntilFound: tally.runs, shrinks: 0, isShrinkingCut: false } as const
      return { counterexample: await confirm(one, run, about), isCut: false }
    }
  }
  return null
}

async function explore(one: Search): Promise<Found> {
  const { resolved, constraints } = one
  const watch = new Watch(one)
  const property = fc.asyncProperty(faultSchedule(constraints), callPlan(constraints), (schedule, plan) =>
    watch.run({ schedule, plan }),
  )
  const isReplay = resolved.path?.includes(':') === true
  const details = await fc.check(property, {
    seed: resolved.seed,
    path: resolved.path ?? offsetOf(resolved),
    numRuns: resolved.runs,
    maxSkipsPerRun: MAX_SKIPS_PER_RUN,
    endOnFailure: isReplay,
    noGlobalPlugins: true,
  })
  if (watch.error !== null) throw watch.error.thrown
  if (!(details.errorInstance instanceof BrokenPromise)) return { counterexample: null, isCut: details.interrupted }
  const about = {
    found: 'search',
    path: details.counterexamplePath,
    runsUntilFound: details.numRuns,
    shrinks: details.numShrinks,
    isShrinkingCut: details.interrupted,
  } as const
  return { counterexample: await confirm(one, details.errorInstance.run, about), isCut: false }
}

/** Shards share one seed and take different stretches of its runs, each wide enough for the runs that are skipped. */
function offsetOf({ shard, runs }: ResolvedSearch): string | undefined {
  return shard === null || shard.index === 1 ? undefined : String((shard.index - 1) * (runs + 1) * (1 + MAX_SKIPS_PER_RUN))
}

function report(one: Search, { counterexample, isCut }: Found): SearchReport {
  const { tally, contract, space, resolved, client } = one
  const isReplay = resolved.path !== null
  const unmet: readonly GuaranteeId[] = counterexample !== null || isReplay ? [] : tally.unmet(contract, space.abort)
  const isUnconfirmed = counterexample?.again === 'upheld'
  const isEmpty = tally.runs === 0 && !isReplay
  return {
    kind:
      counterexample !== null && !isUnconfirmed
        ? 'broken'
        : isEmpty || isUnconfirmed || unmet.length > 0
          ? 'inconclusive'
          : 'upheld',
    client: client.name,
    seed: resolved.seed,
    shard: resolved.shard,
    runsAsked: resolved.runs,
    runs: tally.runs,
    skipped: tally.skipped,
    elapsedMs: Math.round(one.elapsedMs()),
    isCut,
    counts: tally.counts,
    coverage: tally.coverage,
    unmet,
    counterexample,
  }
}
