import type { ProbeReport } from '../../probe/index.js'
import { formatDuration, formatMs, plural } from '../../report/text.js'
import type { Trial } from '../../trace/model.js'

const line = (label: string, text: string): string => `  ${label.padEnd(9)} ${text}`

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ×${count}`)
    .join(', ')

/** One line for a run as it ends. */
export function runLine({ statuses, calls: [call] }: Trial, number: number): string {
  const tookMs = call?.settledAtMs == null ? 'unsettled' : formatMs(call.settledAtMs - call.startedAtMs)
  return `  run ${String(number).padStart(3)}  ${tookMs.padStart(10)}  ${statuses.join(', ')}`
}

function latencyText({ latencyMs }: ProbeReport): string {
  if (latencyMs === null) return 'no call settled'
  const { min, p50, p95, max } = latencyMs
  return `min ${formatMs(min)}, p50 ${formatMs(p50)}, p95 ${formatMs(p95)}, max ${formatMs(max)} (whole calls, waits included)`
}

function hintText({ hints: { answers, runs, longestMs } }: ProbeReport): string {
  if (answers === 0) return 'no answer said when to come back'
  const times = answers === 1 ? '1 answer' : `${answers} answers`
  return `${times} in ${plural(runs, 'run')} said when to come back, at the longest in ${formatDuration(Math.round(longestMs ?? 0))}`
}

/** What the runs of a probe came to, in a few lines. It says what was seen, and no more. */
export function probeText(report: ProbeReport): string {
  const { trials, runs, requests, succeeded, deadlineMs, deadlineBreaches, pausedMs, stopped } = report
  return [
    `${plural(trials.length, 'run')} of ${runs}, ${plural(requests, 'request')}, ${succeeded} succeeded`,
    line('latency', latencyText(report)),
    line(
      'attempts',
      Object.entries(report.attempts)
        .map(([count, of]) => `${count} in ${plural(of, 'run')}`)
        .join(', '),
    ),
    line('answers', counted(report.answers)),
    line('hints', hintText(report)),
    line(
      'deadline',
      `${formatDuration(deadlineMs)}, ${deadlineBreaches === 0 ? 'never breached' : `breached in ${plural(deadlineBreaches, 'run')}`}`,
    ),
    ...(pausedMs > 0 ? [line('paused', `${formatDuration(Math.round(pausedMs))} between runs, as the endpoint asked`)] : []),
    ...(stopped === null ? [] : [line('stopped', stopped.text)]),
  ].join('\n')
}
