import { type Hint, hintOf } from '../../trace/hints.js'
import type { Attempt, TrialRecord } from '../../trace/model.js'
import { endOf } from '../../trace/operations.js'
import { endOfTrial } from '../timeline.js'
import { type TimeScale, timeScale } from './scale.js'

/** The UI of vitest draws pictures 600 px wide: in a wider one the words would be too small there. */
export const WIDTH = 760
/** Names to the left of the plot, what things came to within it and to its right. */
export const PLOT = { left: 188, right: 548, width: 360 } as const
export const LABEL_LEFT = 18
/** The edge that text must not cross. */
export const TEXT_RIGHT = WIDTH - 14

/** Attempts shown of a trace at most: of a longer one the first and the last, and those with a mark. */
const ATTEMPTS_SHOWN = 16
const MARKS_SHOWN = 4
const CALLS_SHOWN = 4

export interface PictureOptions {
  /** Notes at attempts, by number; 0 stands for the outcome of the first call. */
  readonly marks?: ReadonlyMap<number, string>
  /** What the picture shows, as a headline. Default: the client's name and what its attempts came to. */
  readonly title?: string
  /** Below the title: the rule that was broken. */
  readonly caption?: string
  /** A deadline the client promised, ms after its call began; the one the harness enforced is shown anyway. */
  readonly deadlineMs?: number
  /** Answer headers whose wait has to be respected, in order of precedence. Default `['retry-after']`. */
  readonly hintHeaders?: readonly string[]
}

/** What all parts of a picture share. */
export interface Picture {
  readonly trial: TrialRecord
  readonly marks: ReadonlyMap<number, string>
  readonly scale: TimeScale
  /** Attempts that are shown, in order. */
  readonly shown: readonly Attempt[]
  readonly callsShown: number
  /** By number of the attempt that was answered with it; only those that close. */
  readonly hints: ReadonlyMap<number, Hint & { readonly closesAtMs: number }>
  readonly deadlineAtMs: number | null
  readonly endMs: number
}

/** Parts of a picture from the ground up: each covers those before it. */
export interface Layers {
  readonly ground: string
  /** Stretches of time. */
  readonly spans: string
  readonly marks: string
}

export function pictureOf(trial: TrialRecord, options: PictureOptions): Picture {
  const { marks = new Map<number, string>(), deadlineMs, hintHeaders = ['retry-after'] } = options
  const shown = shownAttempts(trial, marks)
  const hints = new Map(
    shown.flatMap((attempt) => {
      const hint = hintOf(attempt, { headers: hintHeaders })
      return hint === null || hint.closesAtMs === null || hint.waitMs === 0
        ? []
        : [[attempt.number, { ...hint, closesAtMs: hint.closesAtMs }]]
    }),
  )
  const endMs = endOfTrial(trial)
  const calls = trial.calls.slice(0, CALLS_SHOWN)
  const limitMs = deadlineMs ?? trial.abortAtMs
  const deadlineAtMs = limitMs === null || trial.calls.length !== 1 ? null : trial.calls[0]!.startedAtMs + limitMs
  const times = [
    ...shown.flatMap((attempt) => [attempt.arrivedAtMs, attempt.headersAtMs, endOf(attempt)]),
    ...[...hints.values()].map(({ closesAtMs }) => closesAtMs),
    ...calls.flatMap(({ startedAtMs, settledAtMs, abortedAtMs }) => [startedAtMs, settledAtMs, abortedAtMs]),
    deadlineAtMs,
    endMs,
  ].filter((ms) => ms !== null)
  const scale = timeScale(times, PLOT.left, PLOT.width)
  return { trial, marks, scale, shown, callsShown: calls.length, hints, deadlineAtMs, endMs }
}

function shownAttempts({ attempts }: TrialRecord, marks: ReadonlyMap<number, string>): readonly Attempt[] {
  if (attempts.length <= ATTEMPTS_SHOWN) return attempts
  const half = ATTEMPTS_SHOWN / 2
  const marked = attempts.filter(({ number }) => marks.has(number)).slice(0, MARKS_SHOWN)
  return attempts.filter((attempt, i) => i < half || i >= attempts.length - half || marked.includes(attempt))
}
