import { AsyncLocalStorage } from 'node:async_hooks'
import { ClockBusyError } from './errors.js'

/** A run of virtual time that can be told that nobody waits for it any more. */
export interface ScopedRun {
  /** Ends it where the client waits next, without moving time. */
  interrupt(): void
  /** When time has been given back. */
  readonly stopped: Promise<void>
}

/** The test that trials are begun in. */
interface TestScope {
  readonly name: string
  readonly runs: Set<ScopedRun>
  isOver: boolean
}

const scopes = new AsyncLocalStorage<TestScope>()
const scopeOf = new WeakMap<object, TestScope>()

/** Makes a run, known by its clock, the business of the test that it is begun in. One in real time cannot be interrupted. */
export const enterTest = (clock: object, run?: ScopedRun): void => {
  const scope = scopes.getStore()
  if (scope === undefined) return
  scopeOf.set(clock, scope)
  if (run !== undefined) scope.runs.add(run)
}

export const leaveTest = (clock: object, run: ScopedRun): void => {
  scopeOf.get(clock)?.runs.delete(run)
}

/** " (begun in the test ...)" if that is another test than this one; else nothing. */
export const otherTest = (clock: object): string => {
  const scope = scopeOf.get(clock)
  if (scope === undefined || scope === scopes.getStore()) return ''
  return ` (begun in the test "${scope.name}"${scope.isOver ? ', which is over: did it time out?' : ''})`
}

/**
 * A test that has timed out goes on in the background: what it begins now would take the time of the tests after it.
 *
 * @throws {ClockBusyError}
 */
export const assertTestIsNotOver = (): void => {
  const scope = scopes.getStore()
  if (scope?.isOver !== true) return
  throw new ClockBusyError(
    `Failed to start a clock: the test "${scope.name}" that begins this trial is over (did it time out, or not await its trials?): ` +
      'the time belongs to the tests after it',
  )
}

/**
 * Runs a test, and ends the trials under virtual time that are still running when it is over.
 *
 * @param signal aborts when the test times out
 * @throws {ClockBusyError} if the test left a trial running although it had not timed out: it was not awaited
 */
export const withinTest = async (name: string, signal: AbortSignal, runTest: () => Promise<void>): Promise<void> => {
  const scope: TestScope = { name, runs: new Set(), isOver: false }
  const end = () => {
    scope.isOver = true
    for (const run of scope.runs) run.interrupt()
  }
  signal.addEventListener('abort', end)
  let isForgotten = false
  try {
    await scopes.run(scope, runTest)
  } finally {
    signal.removeEventListener('abort', end)
    isForgotten = scope.runs.size > 0 && !signal.aborted
    end()
    await Promise.all([...scope.runs].map(({ stopped }) => stopped))
  }
  if (isForgotten) throw new ClockBusyError(`a trial of the test "${name}" was still running when the test was over: await it`)
}
