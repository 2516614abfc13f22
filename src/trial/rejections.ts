const EVENTS = ['unhandledRejection', 'uncaughtException'] as const

type Handler = (error: unknown) => void

const captures = new Set<unknown[]>()
const displaced = new Map<string, readonly Handler[]>()

const collect: Handler = (error) => {
  for (const into of captures) into.push(error)
}

/**
 * Collects unhandled rejections and uncaught exceptions while a trial runs. They are what the client left behind (an 'error' event that
 * nobody listens to ends the process of its user), so they belong in its record; the listeners of the test runner, which would fail the whole
 * run without naming the trial, are put aside until the last open trial is over.
 */
export function captureRejections(): { readonly seen: readonly unknown[]; release(): void } {
  const seen: unknown[] = []
  if (captures.size === 0) {
    for (const event of EVENTS) {
      displaced.set(event, process.listeners(event as 'uncaughtException') as Handler[])
      process.removeAllListeners(event)
      process.on(event, collect)
    }
  }
  captures.add(seen)
  return {
    seen,
    release() {
      if (!captures.delete(seen) || captures.size > 0) return
      for (const event of EVENTS) {
        process.removeListener(event, collect)
        for (const handler of displaced.get(event) ?? []) process.on(event, handler)
      }
    },
  }
}
