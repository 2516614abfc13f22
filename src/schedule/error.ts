/** One thing that is wrong with a schedule. */
export interface ScheduleIssue {
  /** Where it is: `schedule[2].retryAfter`, `schedule[0].headers["x-a"][1]`. */
  readonly path: string
  /** What was expected there, and what was found. */
  readonly message: string
}

/** A generated file can be wrong in every line. */
const ISSUES_TOLD = 20

function toMessage(issues: readonly ScheduleIssue[]): string {
  const lines = issues.slice(0, ISSUES_TOLD).map(({ path, message }) => `${path}: ${message}`)
  const more = issues.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/**
 * A schedule that cannot be played. Its message has one line for each of the first 20 issues, with the place, the allowed
 * values and what was found.
 *
 * @example
 * ```ts
 * import { parseSchedule, ScheduleError } from 'retrial'
 *
 * try {
 *   parseSchedule([{ status: 429, retryAfter: null }])
 * } catch (error) {
 *   if (error instanceof ScheduleError) console.log(error.issues.map((issue) => issue.path)) // ['schedule[0].retryAfter']
 * }
 * ```
 */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError'
  readonly issues: readonly ScheduleIssue[]

  constructor(issues: readonly ScheduleIssue[], options?: ErrorOptions) {
    super(toMessage(issues), options)
    this.issues = issues
  }
}
