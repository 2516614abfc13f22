import timers from 'node:timers'
import type { Kernel } from './kernel.js'

type Marked = { readonly clock?: unknown; readonly isFake?: unknown; readonly name?: string }

const FAKEABLE = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance'] as const

/** The mock timers of node:test are a method of theirs, bound; a spy on a timer has another name, and does no harm. */
const NODE_MOCK_NAME = /^bound #(createTimer|setImmediate)/

/** Why the timers or the Date of the process are not Node's own, or null. Cheap: it is asked at every quiescent point. */
export const fakeTimersReason = (kernel: Kernel): string | null => {
  for (const name of FAKEABLE) {
    const reason = replacedReason(name, globalThis[name] as Marked)
    if (reason !== null) return reason
  }
  // vitest ends vi.setSystemTime() by putting back the Date that it knew before the clock's hook: no mock, but the hook is gone.
  if (globalThis.Date === kernel.real.Date) globalThis.Date = kernel.hookedDate
  if (globalThis.Date !== kernel.hookedDate) {
    return 'Date has been replaced (vi.setSystemTime() or a date mock)'
  }
  return null
}

const replacedReason = (what: string, { clock, name = '' }: Marked): string | null => {
  if (clock !== undefined) return `vi.useFakeTimers() (or another fake-timers clock) has replaced ${what}`
  return NODE_MOCK_NAME.test(name) ? `the mock timers of node:test have replaced ${what}` : null
}

/** Fake timers that are on while the module is loaded would be taken for the real ones. */
export const fakeTimersAtImport = (): boolean =>
  (globalThis.setTimeout as Marked).clock !== undefined || (globalThis.Date as unknown as Marked).isFake === true

/** Test environments in which timers are not Node's, or belong to another realm than this code; null if this is none of them. */
export const foreignEnvironment = (): string | null => {
  const { happyDOM, navigator, window } = globalThis as {
    happyDOM?: unknown
    navigator?: { userAgent?: string }
    window?: object
  }
  if (happyDOM !== undefined) return 'happy-dom'
  const userAgent = navigator?.userAgent ?? ''
  if (userAgent.includes('jsdom')) return 'jsdom'
  if (userAgent.includes('HappyDOM')) return 'happy-dom'
  if (window !== undefined) return 'a browser-like test environment (there is a global window)'
  // Under vmThreads the code runs in a vm context, whose Function is not the one that Node's functions are made of.
  if (!(process.nextTick instanceof Function) || !(timers.setImmediate instanceof Function)) return 'vmThreads or vmForks'
  return null
}

/** vitest loads modules through a message channel that no other means shows: time must not move while a dynamic import is under way. */
export const isLoadingModule = (): boolean => {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { resolvingModules?: ReadonlySet<string> } }
  return worker?.resolvingModules !== undefined && worker.resolvingModules.size > 0
}
