import { printSchedule } from '../schedule/print.js'
import type { Trial } from '../trace/model.js'
import { saveToCorpus } from './corpus.js'
import { judgeRun } from './judge-run.js'
import type { Counterexample, JudgedRun } from './model.js'
import type { Search } from './state.js'

/** Runs the counterexample once more, on a socket, and keeps it. */
export async function confirm(
  { client, judging, options }: Search,
  run: JudgedRun,
  about: Pick<Counterexample, 'found' | 'path' | 'runsUntilFound' | 'shrinks' | 'isShrinkingCut'>,
): Promise<Counterexample> {
  const second = await judgeRun(client, run.draw, { ...judging, transport: 'socket' })
  const guarantee = run.broken[0]?.guarantee
  const same = second.broken.filter((verdict) => verdict.guarantee === guarantee)
  const again = same.length === 0 ? 'upheld' : traceOf(second.trials) === traceOf(run.trials) ? 'same' : 'changed'
  // What is shown is what the wire saw.
  const shown = { ...second, broken: [...same, ...second.broken.filter((verdict) => !same.includes(verdict))] }
  const isNew = about.found === 'search' && options.corpus !== undefined && again === 'same'
  const savedAs = isNew ? await saveToCorpus(options.corpus as string, client.name, run) : null
  return { ...(again === 'upheld' ? run : shown), ...about, schedule: printSchedule(run.draw.schedule) as string, again, savedAs }
}

/** What must be the same on every run of a draw. */
const traceOf = (trials: readonly Trial[]): string =>
  JSON.stringify(
    trials.map(({ attempts, settledAtMs }) => [
      attempts.map(({ arrivedAtMs, method, path, idempotencyKey, bodyHash, result }) => [
        arrivedAtMs,
        method,
        path,
        idempotencyKey,
        bodyHash,
        result,
      ]),
      settledAtMs,
    ]),
  )
