import type { DriveLoop } from './drive-loop.js'
import type { Kernel } from './kernel.js'
import type { PendingTimer, UnsettledReason } from './model.js'
import { describeOrigin } from './origin.js'
import type { VirtualClock } from './virtual-clock.js'

/** Timers named in a report. */
const SHOWN_TIMERS = 8

export const pendingTimers = (clock: VirtualClock): PendingTimer[] =>
  clock.armedTimers().map(({ timer, dueAtMs, delayMs, creation }) => ({
    dueAtMs,
    delayMs: timer._repeat ?? delayMs,
    repeats: timer._repeat !== null && timer._repeat !== undefined,
    refed: timer.hasRef(),
    ...describeOrigin(creation),
  }))

/** What a person can act on when the calls of a trial do not settle, one line each. */
export const describePending = (kernel: Kernel, clock: VirtualClock, loop: DriveLoop, reason: UnsettledReason): string[] => {
  const lines = [headline(clock, loop, reason)]
  const waiting = kernel.sockets.waitingForAnswer()
  if (waiting > 0) lines.push(`${waiting} client ${waiting === 1 ? 'connection' : 'connections'} waiting for an answer`)
  const timers = pendingTimers(clock)
  lines.push(...timers.slice(0, SHOWN_TIMERS).map(timerLine))
  if (timers.length > SHOWN_TIMERS) lines.push(`and ${timers.length - SHOWN_TIMERS} more timers`)
  for (const { host, port } of kernel.sockets.openForeign())
    lines.push(`a connection to ${host}:${port}, not part of the trial, is open`)
  const { tracked } = clock.accounting
  if (tracked > 0) lines.push(`${tracked} ${tracked === 1 ? 'promise' : 'promises'} given to clock.track() pending`)
  if (reason === 'deadlock')
    lines.push('work in workers or native add-ons is invisible to the clock: declare it with clock.track(promise)')
  return lines
}

const headline = (clock: VirtualClock, loop: DriveLoop, reason: UnsettledReason): string => {
  switch (reason) {
    case 'deadlock':
      return 'the promise has not settled, nothing is on the wire and no timer is armed: nothing can happen any more'
    case 'runaway':
      return `runaway at ${clock.nowMs()} ms: ${loop.detail} and the promise has not settled`
    case 'stall':
      return `the clock cannot move because this does not end: ${loop.detail}`
    default:
      return reason satisfies never
  }
}

const timerLine = ({ dueAtMs, delayMs, repeats, origin }: PendingTimer): string =>
  `${repeats ? 'an interval' : 'a timer'} of ${delayMs} ms is due at ${dueAtMs} ms: ${origin}`
