import type { Attempt } from '../trace/model.js'
import type { Reason } from './model.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOf, attributedOperations } from './wire.js'
import { plural } from './words.js'

/** Two requests carried the same bytes, multipart boundaries aside. */
export const haveSameBody = (one: Attempt, other: Attempt): boolean => one.bodyHash === other.bodyHash

function judgeResend(first: Attempt, resent: Attempt, trial: number): Reason {
  const at = { rule: 'IDM-11', trial, attempt: resent.number } as const
  const size = plural(first.body.length, 'byte')
  if (haveSameBody(first, resent)) {
    return first.body.length === 0
      ? inconclusive({ ...at, text: `attempt ${resent.number} repeated a ${resent.method} that has no body` })
      : pass({ ...at, text: `attempt ${resent.number} carried the same ${size} as attempt ${first.number}` })
  }
  const what = resent.body.length === 0 ? 'an empty body' : `another body (${plural(resent.body.length, 'byte')})`
  return fail({
    ...at,
    text: `attempt ${resent.number} carried ${what}, attempt ${first.number} carried ${size}`,
    expected: `${size}, SHA-256 ${first.bodyHash.slice(0, 12)}…`,
    received: `${plural(resent.body.length, 'byte')}, SHA-256 ${resent.bodyHash.slice(0, 12)}…`,
    mark: resent.body.length === 0 ? 'empty body' : 'other bytes',
  })
}

/** Every re-send carries the same bytes, or there is none. */
export const body = defineGuarantee({
  id: 'body',
  level: 'must',
  stage: 3,
  source: 'Azure Core guidelines, rewind',
  requirement: 're-send the same bytes, or nothing',
  rule: 'IDM-11',
  unmet: 'no request with a body was sent again, so there were no bytes to compare',
  advice: 'use a schedule such as [503, 200], and a client that retries the call',
  reasons: eachTrial((trial, _contract, index) =>
    attributedOperations(trial).flatMap((operation) => {
      // A request that broke off was cut by the fault, not by the client.
      const [first, ...resent] = attemptsOf(trial, operation).filter(({ requestComplete }) => requestComplete)
      return first === undefined ? [] : resent.map((attempt) => judgeResend(first, attempt, index))
    }),
  ),
})
