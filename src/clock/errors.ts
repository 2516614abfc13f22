/** A second trial wants to move time while one is already doing it. */
export class ClockBusyError extends Error {
  override readonly name = 'ClockBusyError'
}

/** This process is not one in which time can be virtual: the Node version, the test environment or a second copy of the package is in the way. */
export class ClockUnsupportedError extends Error {
  override readonly name = 'ClockUnsupportedError'
}

/** vi.useFakeTimers() or a mocked Date hides the timers from the clock. */
export class FakeTimersError extends Error {
  override readonly name = 'FakeTimersError'
}

/** The client reads the time over and over without letting the event loop turn: real time would pass meanwhile, virtual time cannot. */
export class BusyWaitError extends Error {
  override readonly name = 'BusyWaitError'
}
