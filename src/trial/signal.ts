import { setMaxListeners } from 'node:events'
import { withoutDirectory } from '../clock/index.js'

/** A caller's signal that knows whether anybody looked at it and who still listens to it. */
export interface WatchedSignal {
  readonly signal: AbortSignal
  /** Aborts it, as a caller does. */
  abort(): void
  /** The frames that registered listeners which are still there; empty once aborted. */
  listeners(): readonly string[]
}

/**
 * Node's own `fetch` (and npm undici, the same code) leaves listeners of its own on a signal, kept weakly; they are no fault of the client.
 */
const PLATFORM_FRAME = /\(?(node:|.*[\\/]node_modules[\\/]undici[\\/])/

export function watchSignal(): WatchedSignal {
  const controller = new AbortController()
  const { signal } = controller
  // A client that tries for ever is reported by the trial; node's own warning, one line an attempt, would bury it. Not 0, which means the
  // same: node's getMaxListeners then throws, and npm undici's fetch asks it.
  setMaxListeners(Number.POSITIVE_INFINITY, signal)
  const open = new Map<unknown, Error>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  Object.defineProperty(signal, 'addEventListener', {
    configurable: true,
    writable: true,
    value: (type: string, listener: unknown, options?: { signal?: AbortSignal } | boolean) => {
      if (type === 'abort' && listener != null && !open.has(listener)) {
        // Only the stack is taken: its text, with source maps applied, is dear and hardly ever asked for.
        open.set(listener, new Error())
        if (typeof options === 'object') options?.signal?.addEventListener('abort', () => open.delete(listener), { once: true })
      }
      return add(type as 'abort', listener as () => void, options as EventListenerOptions)
    },
  })
  Object.defineProperty(signal, 'removeEventListener', {
    configurable: true,
    writable: true,
    value: (type: string, listener: unknown, options?: EventListenerOptions) => {
      if (type === 'abort') open.delete(listener)
      return remove(type as 'abort', listener as () => void, options)
    },
  })
  return {
    signal,
    abort: () => controller.abort(),
    listeners: () => {
      if (signal.aborted) return []
      const handler = signal.onabort === null ? [] : ['signal.onabort']
      return [...open.values()]
        .map(registeredBy)
        .filter((frame) => !PLATFORM_FRAME.test(frame))
        .map(withoutDirectory)
        .concat(handler)
    },
  }
}

/** The frame that called addEventListener: "retryLoop (client.ts:12)". Above it stands the replaced method. */
function registeredBy({ stack = '' }: Error): string {
  return (stack.split('\n')[2] ?? 'unknown').trim().replace(/^at /, '')
}
