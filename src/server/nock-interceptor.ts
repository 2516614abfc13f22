import type { HttpInterceptor, InterceptedRequest } from './nock-loader.js'

/** The interceptor that runs is kept here; a second one, like the trial's, only lends it its listeners. */
const RUNNING = Symbol.for('client-request-interceptor')

type WithRunning = typeof globalThis & { [RUNNING]?: unknown }

/**
 * Applies an interceptor for the time of a trial.
 *
 * @returns A function that takes it away again, and nothing else.
 */
export function applyInterceptor(
  interceptor: HttpInterceptor | null,
  listen: (event: InterceptedRequest) => Promise<void>,
): () => void {
  if (interceptor === null) return () => {}
  const shared: WithRunning = globalThis
  const running = shared[RUNNING]
  interceptor.apply()
  interceptor.on('request', listen)
  return () => {
    interceptor.dispose()
    // A lender that goes takes the one it lent to off the record, whose owner could not end it any more.
    if (running !== undefined) shared[RUNNING] = running
  }
}
