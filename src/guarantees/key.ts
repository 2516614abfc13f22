import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOfCall, isUnsafe, keyOf } from './wire.js'
import { listed } from './words.js'

/** A call, the attempts that have to carry its key, and the keys they carry. */
interface Keyed {
  readonly call: CallRecord
  readonly attempts: readonly Attempt[]
  readonly keys: readonly string[]
}

/**
 * The requests that do the call's work: those it asked for, or, for an SDK with paths of its own, those of its method. A log-in on the
 * way needs no key.
 */
function worksOf(trial: Trial, call: CallRecord): readonly Attempt[] {
  const unsafe = attemptsOfCall(trial, call).filter(({ method, requestComplete }) => requestComplete && isUnsafe(method))
  const asked = unsafe.filter(({ method, path }) => method === call.method && path === call.path)
  return asked.length > 0 ? asked : unsafe.filter(({ method }) => method === call.method)
}

function keyedCalls(trial: Trial, contract: Contract): Keyed[] {
  const isOwed = ({ idempotencyKey, method }: CallRecord) =>
    idempotencyKey !== null || (contract.idempotency?.required === true && isUnsafe(method))
  return trial.calls.flatMap((call) => {
    const attempts = worksOf(trial, call)
    const keys = [...new Set(attempts.flatMap((attempt) => keyOf(attempt, contract) ?? []))]
    return attempts.length > 0 && (isOwed(call) || keys.length > 0) ? [{ call, attempts, keys }] : []
  })
}

function judgeAbsence({ call, attempts, keys }: Keyed, contract: Contract, trial: number): Reason[] {
  const bare = attempts.filter((attempt) => keyOf(attempt, contract) === null)
  const first = bare[0]
  if (first === undefined) return []
  const given = call.idempotencyKey === null ? 'the contract promises one' : `the call was given ${call.idempotencyKey}`
  const text =
    keys.length === 0
      ? `no attempt of the call carried a key, although ${given}`
      : `attempt ${first.number} carried no key, other attempts of the call carried ${keys[0]}`
  return [
    fail({
      rule: 'IDM-05',
      trial,
      attempt: first.number,
      text,
      expected: 'one key on every attempt of the call',
      received: keys.length === 0 ? 'no key' : `no key on ${bare.length} of ${attempts.length} attempts`,
      mark: 'no key',
    }),
  ]
}

function judgeSameness({ attempts, keys }: Keyed, contract: Contract, trial: number): Reason[] {
  const [first] = attempts
  if (first === undefined || attempts.length < 2) return []
  const other = attempts.find((attempt) => keyOf(attempt, contract) !== keyOf(first, contract))
  if (other === undefined) {
    return [
      pass({
        rule: 'IDM-05',
        trial,
        attempt: attempts.at(-1)?.number,
        text: `all ${attempts.length} attempts carried the key ${keys[0]}`,
      }),
    ]
  }
  return [
    fail({
      rule: 'IDM-05',
      trial,
      attempt: other.number,
      text: `attempt ${other.number} carried the key ${keyOf(other, contract)}, attempt ${first.number} of the same call carried ${keyOf(first, contract)}`,
      expected: 'one key on every attempt of the call',
      received: `${keys.length} keys: ${listed(keys)}`,
      mark: 'another key',
    }),
  ]
}

/** Keys that two calls share, unless the caller gave both the same. */
function judgeDistinctness(calls: readonly Keyed[], trial: number): Reason[] {
  const shared = calls.flatMap((one, position) => {
    const before = calls.slice(0, position).find((other) => other.keys.some((key) => one.keys.includes(key)))
    const isAsked =
      before !== undefined && before.call.idempotencyKey !== null && before.call.idempotencyKey === one.call.idempotencyKey
    if (before === undefined || isAsked) return []
    const key = one.keys.find((candidate) => before.keys.includes(candidate))
    return [
      fail({
        rule: 'IDM-06',
        trial,
        attempt: one.attempts[0]?.number,
        text: `call ${one.call.index + 1} carried the key ${key}, which call ${before.call.index + 1} had used`,
        expected: 'a key of its own for every call',
        received: `${key} for both`,
        mark: `key of call ${before.call.index + 1}`,
      }),
    ]
  })
  if (shared.length > 0) return shared
  const keyed = calls.filter(({ keys }) => keys.length > 0)
  return keyed.length < 2 ? [] : [pass({ rule: 'IDM-06', trial, text: `each of ${keyed.length} calls had a key of its own` })]
}

/** A key on every attempt of a call that was given one, the same within a call, different between calls. */
export const key = defineGuarantee({
  id: 'key',
  level: 'must',
  stage: 3,
  source: 'draft-ietf-httpapi-idempotency-key-header-07 §2.2',
  requirement: 'send one key on every attempt of a call, and a new one for every call',
  rule: 'IDM-05',
  unmet: 'no keyed request was sent again, so nothing shows that its key is kept',
  advice: 'use a schedule such as [503, 200], and a client that retries the call',
  inapplicable: (trials, contract) =>
    trials.every((trial) => keyedCalls(trial, contract).length === 0) ? 'no call was given a key, and none was sent' : null,
  reasons: eachTrial((trial, contract, index) => {
    const calls = keyedCalls(trial, contract)
    const each = calls.flatMap((call) => {
      const absent = judgeAbsence(call, contract, index)
      return absent.length > 0 ? absent : judgeSameness(call, contract, index)
    })
    const single = calls.filter(({ attempts }) => attempts.length === 1)
    const unseen = single.map(({ attempts }) =>
      inconclusive({ rule: 'IDM-05', trial: index, attempt: attempts[0]?.number, text: 'the call was sent only once' }),
    )
    return [...each, ...judgeDistinctness(calls, index), ...unseen]
  }),
})
