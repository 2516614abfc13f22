import type { SetUp, SetUpOptions } from '../../fixtures/clients/set-ups/model.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import type { Trial } from '../../src/trace/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

const SHORT: SetUpOptions = { timeoutMs: 1000, baseMs: 100 }
const LONG: SetUpOptions = { timeoutMs: 10_000, baseMs: 500 }

/** Down, then slower than the client waits, then down again, then fine. */
const shortOrdeal: ScheduleInput = [503, { status: 200, delayMs: 3000 }, 503, 200]

/** Rate limited, down, then slower than the client waits, then fine: 100 s and more that nobody has. */
const longOrdeal: ScheduleInput = [
  { status: 429, retryAfter: 30, headers: { 'stripe-should-retry': 'true' } },
  503,
  { status: 200, delayMs: 60_000 },
  200,
]

const GET = { call: { method: 'GET' }, random: 'real' } as const

export const inRealTime = (setUp: SetUp): Promise<Trial> => runTrial(setUp.make(SHORT), shortOrdeal, { ...GET, clock: 'real' })
export const inVirtualTime = (setUp: SetUp): Promise<Trial> => runTrial(setUp.make(SHORT), shortOrdeal, GET)
export const longInVirtualTime = (setUp: SetUp): Promise<Trial> => runTrial(setUp.make(LONG), longOrdeal, GET)

/** All that two runs of the same thing must have in common. */
export const courseOf = (trial: Trial) => ({
  attempts: trial.attempts.map(({ arrivedAtMs, endedAtMs, hungUpAtMs, result, socket }) => [
    arrivedAtMs,
    endedAtMs,
    hungUpAtMs,
    result,
    socket,
  ]),
  outcome: trial.outcome.kind,
  settledAtMs: trial.settledAtMs,
})

/** Real time only ever adds to a wait, but a busy server notes the end of an answer, or a hang-up, a little late. */
const EARLY_MS = 50

/** Waits of the real run that are shorter than those of the virtual one. */
export function shorterThanVirtual(real: Trial, virtual: Trial): readonly string[] {
  return virtual.gapsMs.flatMap((virtualMs, gap) => {
    const realMs = real.gapsMs[gap]
    if (virtualMs === null || typeof realMs !== 'number') return [`wait ${gap + 1}: real ${realMs} ms, virtual ${virtualMs} ms`]
    return realMs >= virtualMs - EARLY_MS ? [] : [`wait ${gap + 1}: real ${realMs} ms, virtual ${virtualMs} ms`]
  })
}
