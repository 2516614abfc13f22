import { hintOf } from '../trace/hints.js'
import type { Trial } from '../trace/model.js'
import { hintHeadersOf } from './classification.js'
import type { Contract } from './contract.js'
import { judgeMalformed } from './hint-malformed.js'
import { isRedirect } from './hint-rules.js'
import { earlyAttempts, type Hinted, judgePassed, judgeWindow } from './hint-window.js'
import type { Reason } from './model.js'
import { defineGuarantee } from './verdict.js'
import { attemptsOf, attributedOperations, TIMER_LIMIT_MS } from './wire.js'

function hintedAnswers(trials: readonly Trial[], contract: Contract): Hinted[] {
  return trials.flatMap((trial, index) =>
    attributedOperations(trial).flatMap((operation) => {
      const attempts = attemptsOf(trial, operation)
      return attempts.flatMap((attempt) => {
        const hint = hintOf(attempt, { headers: hintHeadersOf(contract) })
        if (hint === null || (attempt.status ?? 0) < 300) return []
        // A redirect leads to another target.
        const candidates = isRedirect(attempt) ? trial.attempts.filter(({ call }) => call === attempt.call) : attempts
        const later = candidates.filter(({ number, arrivedAtMs }) => number > attempt.number && arrivedAtMs >= hint.opensAtMs)
        return [{ trials, index, trial, contract, operation, attempts, attempt, hint, later }]
      })
    }),
  )
}

function judgeHint(hinted: Hinted): Reason[] {
  const { kind, waitMs, closesAtMs } = hinted.hint
  // Without a wait a redirect is followed like any other, and one that is not followed was no wait to sit out.
  if (isRedirect(hinted.attempt) && ((waitMs ?? 0) === 0 || hinted.later.length === 0)) return []
  if (kind === 'malformed') return judgeMalformed(hinted)
  // A date from a server whose clock nobody saw.
  if (waitMs === null || closesAtMs === null) return []
  if (waitMs === 0) return judgePassed(hinted)
  const window = { waitMs, closesAtMs }
  // Two values: the smaller one is enough, and so is ignoring both.
  if (kind === 'list' && earlyAttempts(hinted, window).length > 0) return judgeMalformed(hinted)
  return judgeWindow(hinted, window)
}

/** A wait that a client is expected to sit out: in seconds, above zero, and within its cap and what a timer holds. */
function isPlainWait({ attempt, hint, contract }: Hinted): boolean {
  const capMs = Math.min(contract.retryAfter?.capMs ?? TIMER_LIMIT_MS, contract.deadlineMs ?? TIMER_LIMIT_MS, TIMER_LIMIT_MS)
  return !isRedirect(attempt) && hint.kind === 'seconds' && hint.waitMs !== null && hint.waitMs > 0 && hint.waitMs <= capMs
}

/** Dates understood and junk ignored are no proof while plain seconds were asked for and never waited out. */
function withoutUnproven(judged: readonly { readonly hinted: Hinted; readonly reasons: readonly Reason[] }[]): Reason[] {
  const plain = judged.filter(({ hinted }) => isPlainWait(hinted))
  const isProven = plain.length === 0 || plain.some(({ reasons }) => reasons.some(({ kind }) => kind === 'pass'))
  const reasons = judged.flatMap((one) => one.reasons)
  return isProven ? reasons : reasons.map((reason) => (reason.kind === 'pass' ? { ...reason, kind: 'inconclusive' } : reason))
}

/** No re-send inside the window of a hint, in all its forms. */
export const hint = defineGuarantee({
  id: 'hint',
  level: 'must',
  stage: 2,
  source: 'RFC 9110 §10.2.3, RFC 6585 §4',
  requirement: 'do not come back before Retry-After has passed',
  rule: 'RAF-01',
  unmet: 'no re-send followed an answer with Retry-After, so there was no wait to judge',
  advice: "give `retryAfter` to a 429 or 503 of the schedule, and `call: { method: 'GET' }` for a client that never retries POST",
  reasons: (trials, contract) =>
    withoutUnproven(hintedAnswers(trials, contract).map((hinted) => ({ hinted, reasons: judgeHint(hinted) }))),
})
