import type * as z from 'zod'
import { printableBody } from './body.js'
import { contradictions } from './contradictions.js'
import { ScheduleError, type ScheduleIssue } from './error.js'
import { faultKind, status } from './fields.js'
import { readIssues, type StepIssue } from './issues.js'
import type { Schedule, ScheduleFunction, Step } from './model.js'
import { faultStep, responseStep, STEP, story } from './schema.js'
import { respell } from './spelling.js'
import { didYouMean, renderPath, show } from './words.js'

export { ScheduleError } from './error.js'

type RawObject = Readonly<Record<string, unknown>>
type Reading = { readonly step: Step } | { readonly issues: readonly StepIssue[] }

/** Schedules that this module has made. They are frozen, so they need no second look. */
const validated = new WeakSet<Schedule>()

const isObject = (value: unknown): value is RawObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) deepFreeze(part)
    Object.freeze(value)
  }
  return value
}

const readScalar = <T>(schema: z.ZodType<T>, input: unknown, make: (value: T) => Step): Reading => {
  const result = schema.safeParse(input)
  return result.success ? { step: make(result.data) } : { issues: readIssues(result.error, input) }
}

/**
 * The one form that printing and parsing give back: what JSON keeps of a step. Bytes become base64, absent options stay absent
 * whether they were left out or given as undefined, and zero has no sign.
 */
const normal = (parsed: RawObject): Step => JSON.parse(JSON.stringify({ ...parsed, body: printableBody(parsed.body) })) as Step

const readObject = (input: RawObject): Reading => {
  const { step, issues: spelling, written } = respell(input)
  if (step.status === undefined && step.fault === undefined) {
    const hint = Object.keys(step)
      .map((key) => didYouMean(key, ['status', 'fault']))
      .join('')
    return { issues: [{ path: [], message: `expected a step object with "status" or "fault", received ${show(input)}${hint}` }] }
  }
  const clashes = contradictions(step)
  const ownFault = step.fault !== undefined
  const clashing = new Set(ownFault ? clashes.map((issue) => issue.path[0]) : [])
  const rest = Object.fromEntries(Object.entries(step).filter(([key]) => !clashing.has(key)))
  const result = (ownFault ? faultStep : responseStep).safeParse(rest)
  const found = [...(result.success ? [] : readIssues(result.error, step)), ...clashes]
  const issues = [...found.map((issue) => ({ ...issue, path: written(issue.path) })), ...spelling]
  return result.success && issues.length === 0 ? { step: normal(result.data as RawObject) } : { issues }
}

const readText = (input: string): Reading => {
  const reading = readScalar(faultKind, input, (value) => ({ fault: value }))
  if ('step' in reading || !status.safeParse(Number(input)).success) return reading
  return { issues: [{ path: [], message: `expected ${STEP}, received ${show(input)}; a status is a number: ${input}` }] }
}

const readStep = (input: unknown): Reading => {
  if (typeof input === 'number') return readScalar(status, input, (value) => ({ status: value }))
  if (typeof input === 'string') return readText(input)
  if (isObject(input)) return readObject(input)
  return { issues: [{ path: [], message: `expected ${STEP}, received ${show(input)}` }] }
}

const located = (where: string, issues: readonly StepIssue[]): ScheduleIssue[] =>
  issues.map((issue) => ({ path: renderPath(where, issue.path), message: issue.message }))

const refuse = (path: string, message: string, cause?: unknown): never => {
  throw new ScheduleError([{ path, message }], cause === undefined ? undefined : { cause })
}

/**
 * Validates one step in any notation: a number is a status, a string a fault, an object the whole step.
 *
 * @param input What a user wrote, or what a function schedule returned.
 * @param where How the step is called in errors. Default 'step'.
 * @returns The step as plain data, frozen: older spellings read, bytes as `{ $base64 }`.
 * @throws {ScheduleError} When it cannot be played; every issue is named with its place.
 * @example
 * ```ts
 * import { parseStep } from 'retrial'
 *
 * parseStep(503) // { status: 503 }
 * parseStep('reset') // { fault: 'reset' }
 * ```
 */
export const parseStep = (input: unknown, where = 'step'): Step => {
  const reading = readStep(input)
  if ('issues' in reading) throw new ScheduleError(located(where, reading.issues))
  return deepFreeze(reading.step)
}

const keep = (schedule: Schedule): Schedule => {
  const frozen = deepFreeze(schedule)
  validated.add(frozen)
  return frozen
}

const fromList = (input: readonly unknown[], where: string): Schedule => {
  if (input.length === 0) refuse(where, 'expected at least one step, received []')
  const issues: ScheduleIssue[] = []
  // Array.from: a hole in a list is an issue too.
  const steps = Array.from(input, (item, index) => {
    const reading = readStep(item)
    if ('step' in reading) return reading.step
    issues.push(...located(`${where}[${index}]`, reading.issues))
    return null
  })
  if (issues.length > 0) throw new ScheduleError(issues)
  return keep({ steps: steps as Step[], choose: null })
}

const fromText = (text: string, where: string): Schedule => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const hint = faultKind.safeParse(text).success ? `; one step is a list too: ["${text}"]` : ''
    return refuse(where, `expected a schedule as JSON, received ${show(text)} (${(error as Error).message})${hint}`, error)
  }
  // JSON inside a JSON string is a mistake, not another level.
  return typeof parsed === 'string' ? notASchedule(parsed, where) : parseSchedule(parsed, where)
}

/** A file's object, or a schedule that was made elsewhere: `{ steps, choose }`. */
const fromObject = (input: RawObject, where: string): Schedule => {
  const { steps, choose = null, ...about } = input
  if (typeof choose === 'function') return keep({ steps: null, choose: choose as ScheduleFunction })
  if (choose !== null) return refuse(`${where}.choose`, `expected a function, received ${show(choose)}`)
  if (steps === undefined) return notASchedule(input, where)
  const aboutIssues = story.safeParse({ ...about, steps }).error
  if (aboutIssues) throw new ScheduleError(located(where, readIssues(aboutIssues, input)))
  if (!Array.isArray(steps)) return refuse(`${where}.steps`, `expected a list of steps, received ${show(steps)}`)
  return fromList(steps, `${where}.steps`)
}

const notASchedule = (input: unknown, where: string): never => {
  const reading = readStep(input)
  const hint = 'step' in reading ? `; one step is a list too: [${show(input)}]` : ''
  return refuse(where, `expected a list of steps or a function, received ${show(input)}${hint}`)
}

/**
 * Validates a schedule: a list of steps, a function that chooses the step of each attempt, JSON text of a list, or a file's object
 * `{ "$schema", "title", "description", "steps" }`. A validated schedule is returned as it is.
 *
 * Numbers are statuses, strings are faults. The older spelling (`retry_after`, `delay_ms`, ...) is read as its camelCase name.
 * Delays are milliseconds from 0 to ten years and may have a fraction; the clock's resolution is one millisecond.
 *
 * @param input What a user wrote.
 * @param where How the schedule is called in errors. Default 'schedule'.
 * @returns The schedule as plain, frozen data.
 * @throws {ScheduleError} When it cannot be played; every issue is named with its place.
 * @example
 * ```ts
 * import { parseSchedule } from 'retrial'
 *
 * parseSchedule([{ status: 429, retryAfter: 30 }, 'reset', 200]).steps
 * parseSchedule('[{"status":429,"retry_after":1,"delay_ms":1500},200]').steps
 * ```
 */
export const parseSchedule = (input: unknown, where = 'schedule'): Schedule => {
  if (typeof input === 'function') return keep({ steps: null, choose: input as ScheduleFunction })
  if (typeof input === 'string') return fromText(input, where)
  if (Array.isArray(input)) return fromList(input, where)
  if (!isObject(input)) return notASchedule(input, where)
  return validated.has(input as unknown as Schedule) ? (input as unknown as Schedule) : fromObject(input, where)
}
