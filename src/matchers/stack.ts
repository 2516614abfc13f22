/** Deeper than a matcher lies below the test that calls it: Node's own limit of ten ends among the frames of the assertion library. */
const FRAMES = 50

/** The stack of the caller, down to the line of the test. */
export function stackHere(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const { stack } = new Error('asked here')
  Error.stackTraceLimit = limit
  return stack
}

/** Runs `fn` such that an error made in it has this stack. */
export function withStack<T>(stack: string | undefined, fn: () => T): T {
  const original = Error.prepareStackTrace
  Error.prepareStackTrace = () => stack
  try {
    return fn()
  } finally {
    Error.prepareStackTrace = original
  }
}
