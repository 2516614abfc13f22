import type { MatcherResult, MatcherState } from 'vitest'
import { callsOf, runCase } from '../cases/battery.js'
import { caseById } from '../cases/index.js'
import { attemptsExactly } from '../guarantees/attempts.js'
import type { Trial } from '../trace/model.js'
import { toClient } from '../trial/client.js'
import { checkAttempts } from './attempts-argument.js'
import { judgeSubject } from './judged.js'
import { type MatcherOptions, resolveMatcherOptions } from './options.js'

/** Faults that never end: only on them the number of attempts is the client's own choice. */
const ENDLESS = caseById('BKO-01')!

export function toAttemptExactly(
  this: MatcherState,
  received: unknown,
  attempts: number,
  options?: MatcherOptions,
): MatcherResult {
  checkAttempts('toAttemptExactly', attempts)
  const guarantee = attemptsExactly(attempts)
  return judgeSubject(this, 'toAttemptExactly', received, resolveMatcherOptions('toAttemptExactly', options), {
    trials: (trials, { contract }) => guarantee.judge(trials, contract),
    client: async (input, { contract, call, seeds, transport }) => {
      const client = toClient(input)
      const trials: Trial[] = []
      for (const kind of callsOf(ENDLESS, { call })) {
        trials.push(...(await runCase(ENDLESS, kind, client, contract, { call, seeds, transport })).trials)
      }
      return { verdict: guarantee.judge(trials, contract), trials }
    },
  })
}
