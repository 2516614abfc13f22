import type { Contract } from '../../guarantees/contract.js'
import { guarantees } from '../../guarantees/index.js'
import type { GuaranteeId } from '../../guarantees/model.js'
import { makeTrial } from '../../trace/build.js'
import type { Trial } from '../../trace/model.js'
import { groupOperations } from '../../trace/operations.js'
import type { ObservedRun } from '../observed-runs.js'
import { type Observation, seenIn } from './model.js'

/** One layer of retries makes about this many attempts of a call; a contract that promises a number is held to that. */
const ONE_LAYER = 5

/** One call as a trial of its own, so that the guarantees judge it and nothing beside it. */
function alone({ trial, call, attempts }: ObservedRun): Trial {
  if (trial.calls.length === 1) return trial
  return makeTrial({ ...trial, calls: call === null ? [] : [call], attempts, operations: groupOperations(attempts) }, () => '')
}

function broken(run: ObservedRun, id: GuaranteeId, contract: Contract): string | null {
  const { reasons } = guarantees[id].judge([alone(run)], contract)
  return reasons.find(({ kind, level }) => kind === 'fail' && level === 'must')?.text ?? null
}

/** A re-send inside the window of a hint, judged by the guarantee `hint`. */
export const hintIgnored: Observation = {
  id: 'hint-ignored',
  kind: 'broken',
  observation: 'the client came back before Retry-After had passed',
  interpretation: 'the client ignores the hint, or cuts it short: it will be limited longer, or blocked',
  action: 'let Retry-After win over the own backoff (RFC 9110 §10.2.3)',
  find: ({ runs, contract }) => seenIn(runs, (run) => broken(run, 'hint', contract)),
}

/** A re-send after an answer that will not change, judged by the guarantee `permanence`. */
export const permanentRetried: Observation = {
  id: 'permanent-retried',
  kind: 'broken',
  observation: 'the client repeated a request whose answer will not change',
  interpretation: 'permanent errors are retried: each costs several requests and keeps everything behind it waiting',
  action: 'classify by status and by the machine-readable code, and give up at the first permanent answer',
  find: ({ runs, contract }) => seenIn(runs, (run) => broken(run, 'permanence', contract)),
}

function amplified(run: ObservedRun, contract: Contract): string | null {
  const { reasons } = guarantees.layers.judge([alone(run)], contract)
  const restart = reasons.find(({ kind }) => kind === 'fail')
  if (restart !== undefined) return restart.text
  const most = contract.maxAttempts ?? ONE_LAYER
  const largest = groupOperations(run.attempts).reduce((count, operation) => Math.max(count, operation.attempts.length), 0)
  return largest > most ? `one call became ${largest} requests, where one layer makes about ${most}` : null
}

/** More attempts than one layer makes, or an inner layer that counts anew. */
export const hiddenLayer: Observation = {
  id: 'hidden-layer',
  kind: 'act',
  observation: 'one call became more requests than one layer of retries makes',
  interpretation: 'a second layer retries as well (an SDK, a proxy, a job queue): their attempts multiply',
  action: 'let one layer retry and switch the others off (maxRetries: 0)',
  find: ({ runs, contract }) => seenIn(runs, (run) => amplified(run, contract)),
}
