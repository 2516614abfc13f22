type Handler = (reason: unknown, promise: Promise<unknown>) => void

const captures = new Set<unknown[]>()
let displaced: Handler[] = []

const collect: Handler = (reason) => {
  for (const into of captures) into.push(reason)
}

/**
 * Collects unhandled rejections while a trial runs. They are what the client left behind, so they belong in its record; the listeners of
 * the test runner, which would fail the whole run without naming the trial, are put aside until the last open trial is over.
 */
export function captureRejections(): { readonly seen: readonly unknown[]; release(): void } {
  const seen: unknown[] = []
  if (captures.size === 0) {
    displaced = process.listeners('unhandledRejection') as Handler[]
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', collect)
  }
  captures.add(seen)
  return {
    seen,
    release() {
      if (!captures.delete(seen) || captures.size > 0) return
      process.removeListener('unhandledRejection', collect)
      for (const handler of displaced) process.on('unhandledRejection', handler)
    },
  }
}
