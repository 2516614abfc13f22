import type { ControlAnswer, IncomingTarget } from '../server/model.js'
import type { Trial } from '../trace/model.js'

/** When the server begins anew by itself, so that the runs of a client in another process are kept apart. */
export interface ResetOn {
  /** A request for this path begins anew, and is no attempt. */
  readonly path?: string
  /** A value of this header that differs from the one before begins anew; the request is the first attempt. */
  readonly header?: string
}

/** Where a server tells what it saw. No client asks for a path like this by accident. */
const TRACE = '/~retrial/trace'
const RESET = '/~retrial/reset'

const json = (status: number, value: unknown): ControlAnswer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
})

/** Answers the control requests of a server, and watches for requests that begin a new run. */
export function controlOf(
  resetOn: ResetOn,
  run: { trace(): Trial; reset(): void },
): (request: IncomingTarget) => ControlAnswer | null {
  const header = resetOn.header?.toLowerCase()
  let lastValue: string | undefined
  return ({ target, headers }) => {
    const path = target.split('?')[0]
    if (path === TRACE) return json(200, run.trace())
    if (path === RESET || (resetOn.path !== undefined && path === resetOn.path)) {
      run.reset()
      return json(200, { reset: true })
    }
    if (path?.startsWith('/~retrial/')) return json(404, { error: `there is ${TRACE} and ${RESET}` })
    const value = header === undefined ? undefined : headers[header]
    if (value !== undefined && value !== lastValue) {
      if (lastValue !== undefined) run.reset()
      lastValue = value
    }
    return null
  }
}
