import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeTimersReason } from './host.js'
import type { Kernel } from './kernel.js'
import { VirtualClockRun } from './virtual-run.js'

/** Longer than any of undici's timers on a connection that has been closed. */
const DRAIN_MS = 10_000

/**
 * One fetch in real time, once per process. Undici compiles its HTTP parser on V8's own threads at the first one, and the rest of a cold
 * start is no part of a trial either.
 */
export const warmUp = (kernel: Kernel): Promise<void> => {
  // A mock that lets no request through (nock, msw) is no reason to fail: that trial begins cold, or its own requests say what is wrong.
  kernel.warmUp ??= fetchOnce()
    .catch(() => {})
    .then(() => drainTicks(kernel))
  return kernel.warmUp
}

/** Undici's tick goes on for a second after a fetch; left alone, it would be the first thing to happen in the first trial. */
const drainTicks = async (kernel: Kernel): Promise<void> => {
  if (kernel.refusal !== null || kernel.virtual !== null || kernel.realRuns.size > 0 || fakeTimersReason(kernel) !== null) return
  const run = new VirtualClockRun(kernel, {})
  try {
    await run.linger(DRAIN_MS)
  } finally {
    run.stop()
  }
}

const fetchOnce = async (): Promise<void> => {
  const server = createServer((_, response) => response.setHeader('connection', 'close').end('warm'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await response.text()
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
