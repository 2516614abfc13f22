import { formatDuration } from '../../report/text.js'
import { HINT_NAMES, hintOf } from '../../trace/hints.js'
import type { Attempt } from '../../trace/model.js'
import { succeededAnswer } from '../observed-runs.js'
import { type Finding, type Observation, seenIn } from './model.js'

/** "Most runs": more than this share of them. */
const MOST = 0.5

const most = (finding: Finding | null): Finding | null => (finding !== null && finding.count > MOST * finding.of ? finding : null)

const waitOf = (attempt: Attempt): number | null => hintOf(attempt, { headers: HINT_NAMES })?.waitMs ?? null

/** Every first attempt was answered with a success. */
export const untestedPath: Observation = {
  id: 'untested-path',
  kind: 'info',
  observation: 'the first attempt was answered with a success, every time',
  interpretation: 'a clean path: nothing was learned about failure',
  action: 'keep the specs with injected faults in CI; they are the only ones that test the retries',
  find({ runs }) {
    const asked = runs.filter(({ attempts }) => attempts.length > 0)
    if (asked.length === 0 || !asked.every(({ attempts }) => succeededAnswer(attempts[0]!))) return null
    const resent = asked.filter(({ attempts }) => attempts.length > 1).length
    return { count: asked.length, of: asked.length, evidence: `${resent} calls needed a second attempt` }
  },
}

/** 429 with a hint on more than half of the calls. */
export const aboveRate: Observation = {
  id: 'above-rate',
  kind: 'act',
  observation: '429 with a time to come back',
  interpretation: 'the calls come above the rate that the endpoint is comfortable with',
  action: 'lower the concurrency; do not shorten the backoff',
  find: ({ runs }) =>
    most(
      seenIn(runs, ({ attempts }) => {
        const limited = attempts.find((attempt) => attempt.status === 429 && waitOf(attempt) !== null)
        return limited === undefined
          ? null
          : `attempt ${limited.number} was told to come back in ${formatDuration(Math.round(waitOf(limited)!))}`
      }),
    ),
}

/** 429 that never says when to come back, on more than half of the calls. */
export const limitWithoutHint: Observation = {
  id: 'limit-without-hint',
  kind: 'act',
  observation: '429 without a time to come back',
  interpretation: 'the endpoint limits the rate and does not say for how long: the own backoff has to carry it',
  action: 'lower the concurrency; make sure that the backoff grows and has jitter',
  find: ({ runs }) =>
    most(
      seenIn(runs, ({ attempts }) => {
        const limited = attempts.filter(({ status }) => status === 429)
        return limited[0] === undefined || limited.some((attempt) => waitOf(attempt) !== null)
          ? null
          : `attempt ${limited[0].number} was answered 429`
      }),
    ),
}

/** A dedup answer at all: rare is enough, since each of them is work that was not done twice. */
export const dedupAnswers: Observation = {
  id: 'dedup-answers',
  kind: 'info',
  observation: 'an answer said that it was the first result again (dedup)',
  interpretation: 'retries land after success: the idempotency key is load-bearing',
  action: 'keep the key for ever, and the same on every attempt of a call',
  find: ({ runs }) =>
    seenIn(runs, ({ attempts }) => {
      const replay = attempts.find(({ ledger }) => ledger === 'replay')
      return replay === undefined ? null : `attempt ${replay.number} was answered with the result of an earlier one`
    }),
}
