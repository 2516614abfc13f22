import type { FaultKind } from '../../schedule/model.js'
import { close } from './close.js'
import { garbage } from './garbage.js'
import { hang } from './hang.js'
import { informational } from './informational.js'
import type { Fault } from './model.js'
import { refuse } from './refuse.js'
import { reset } from './reset.js'
import { resetBody } from './reset-body.js'
import { resetEarly } from './reset-early.js'
import { resetHeaders } from './reset-headers.js'

/** Every kind of fault and what plays it. */
export const FAULTS: Readonly<Record<FaultKind, Fault>> = {
  reset,
  'reset-early': resetEarly,
  'reset-headers': resetHeaders,
  'reset-body': resetBody,
  close,
  hang,
  refuse,
  garbage,
  informational,
}
