export { clock } from './clock/index.js'
export * from './experiments/index.js'
export type { Contract } from './guarantees/contract.js'
export { judge } from './guarantees/judge.js'
export type { Guarantee, Level, Reason, Stage, Verdict, VerdictKind } from './guarantees/model.js'
export type { RetrialMatchers } from './matchers/types.js'
export {
  type Distribution,
  diagnose,
  HarError,
  mostTelling,
  ProbeError,
  type ProbeOptions,
  type ProbeReport,
  probe,
  type RedactOptions,
  readHar,
  readTraces,
  type Stop,
  scheduleFile,
  scheduleFrom,
  TracesError,
} from './probe/index.js'
export { type DecisionRow, type DecisionTable, renderDecisionTable } from './report/decision-table.js'
export { loadTrial } from './report/load-trial.js'
export { renderTimeline } from './report/timeline.js'
export { ScheduleError } from './schedule/error.js'
export { scheduleJsonSchema } from './schedule/json-schema.js'
export type * from './schedule/model.js'
export { parseSchedule, parseStep } from './schedule/parse.js'
export * as presets from './schedule/presets/index.js'
export { printSchedule } from './schedule/print.js'
export * from './schedule/scripts/index.js'
export { TraceFormatError } from './trace/load.js'
export type * from './trace/model.js'
export { ClientSetupError, defineClient } from './trial/client.js'
export type * from './trial/model.js'
export { TrialOptionsError } from './trial/options.js'
export { runTrial } from './trial/run-trial.js'
export { type ServeOptions, type Serving, serve } from './trial/serve.js'
