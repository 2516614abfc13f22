/** What the process tells the one that started it. */
export const EXIT = { upheld: 0, broken: 1, usage: 2, inconclusive: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The command line, or a file that it names, cannot be used as it is. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
