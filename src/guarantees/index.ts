import { abort } from './abort.js'
import { attempts } from './attempts.js'
import { backoff } from './backoff.js'
import { body } from './body.js'
import { deadline } from './deadline.js'
import { dedup } from './dedup.js'
import { hint } from './hint.js'
import { intact } from './intact.js'
import { isolation } from './isolation.js'
import { key } from './key.js'
import { layers } from './layers.js'
import { leftovers } from './leftovers.js'
import type { Guarantee, GuaranteeId } from './model.js'
import { permanence } from './permanence.js'
import { streaming } from './streaming.js'
import { transience } from './transience.js'
import { unsafeReplay } from './unsafe-replay.js'

export { attemptsExactly } from './attempts.js'
export { type Classified, classify } from './classification.js'
export * from './contract.js'
export * from './model.js'
export { PRESETS } from './presets.js'
export { ContractError, resolveContract } from './resolve.js'
export { RULES, type Rule, type RuleId } from './rules.js'
export { combine } from './verdict.js'

/** Every guarantee under its id. */
export const guarantees: Readonly<Record<GuaranteeId, Guarantee>> = {
  permanence,
  transience,
  hint,
  deadline,
  dedup,
  key,
  'unsafe-replay': unsafeReplay,
  body,
  attempts,
  backoff,
  abort,
  intact,
  leftovers,
  isolation,
  streaming,
  layers,
}
