import * as fc from 'fast-check'
import { attachMinimalRun } from './minimal-run.js'

fc.installGlobalPlugin(attachMinimalRun)

export { onTrialNote, type TrialNote } from '../report/notes.js'
export type { Coverage } from '../search/coverage.js'
export type { HintFields } from '../search/hints.js'
export { retryHeaders } from '../search/hints.js'
export type * from '../search/model.js'
export type { TrialPlan } from '../search/plan-shrinker.js'
export { callPlan } from '../search/plans.js'
export { renderSearch } from '../search/render.js'
export { search } from '../search/run.js'
export type { StepList } from '../search/schedule-shrinker.js'
export { faultSchedule } from '../search/schedules.js'
export { type SearchConstraints, SearchOptionsError } from '../search/space.js'
export { attachMinimalRun } from './minimal-run.js'
export { fc }
