import type { Clock, ClockOptions, ClockRun } from '../../../src/clock/model.js'

export interface Here {
  readonly clock: Clock
  readonly run: ClockRun
  /** Where the hunt's server listens: http://127.0.0.1:port */
  readonly url: string
  readonly port: number
}

/** Something that a client may do and that nobody designed the clock for. */
export interface Pattern {
  act(here: Here): Promise<unknown>
  readonly options?: ClockOptions
}

/** Its time is exact although a timer of a day waits for the clock to be wrong. */
export interface ExactPattern extends Pattern {
  readonly atMs: number | ((value: never) => number)
  /** What it comes to; not looked at if absent. */
  readonly gives?: unknown
}

/** It cannot work under this clock, or not be seen, and something says so. */
export interface NamedPattern extends Pattern {
  /** In the error that it gets, the foreign connections, or what is pending of an unsettled drive. */
  readonly named: RegExp
}

export type Patterns<P extends Pattern> = Readonly<Record<string, P>>
