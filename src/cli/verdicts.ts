import type { Verdict, VerdictKind } from '../guarantees/model.js'
import { renderFailure } from '../report/failure.js'
import { oneLine, truncate } from '../report/text.js'
import type { Trial } from '../trace/model.js'
import { EXIT, type ExitCode } from './exit.js'

const WIDTH = 100
const SIGNS: Readonly<Record<VerdictKind, string>> = { pass: '✓', fail: '✗', inconclusive: '?', 'not-applicable': '-' }

/** Verdicts as lines: the broken ones in full, then one line for each of the others that has something to say. */
export function renderVerdicts(verdicts: readonly Verdict[], trials: readonly Trial[]): string {
  const broken = verdicts
    .filter(({ kind }) => kind === 'fail')
    .map((verdict) => renderFailure(verdict.guarantee, verdict, trials))
  const lines = verdicts
    .filter(({ kind }) => kind !== 'not-applicable')
    .map(
      ({ kind, guarantee, reasons }) =>
        `${SIGNS[kind]} ${guarantee.padEnd(14)} ${truncate(oneLine(reasons[0]?.text ?? ''), WIDTH)}`,
    )
  return [...broken, lines.join('\n')].join('\n\n')
}

/** Broken if anything is; inconclusive if nothing was shown at all. */
export function exitOf(verdicts: readonly Verdict[]): ExitCode {
  if (verdicts.some(({ kind }) => kind === 'fail')) return EXIT.broken
  return verdicts.some(({ kind }) => kind === 'pass') ? EXIT.upheld : EXIT.inconclusive
}
