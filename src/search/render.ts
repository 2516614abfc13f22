import { renderFailure } from '../report/failure.js'
import { plural } from '../report/text.js'
import type { JsonValue } from '../schedule/model.js'
import type { Counterexample, SearchReport } from './model.js'

const LABEL_WIDTH = 9
const line = (label: string, text: string) => `  ${label.padEnd(LABEL_WIDTH)} ${text}`

/**
 * A search as text: the broken promise with its timeline and the ways to replay it, or what was met and what was not, with the table of
 * the fault space.
 *
 * @param matcher Name in the first line. Default 'search'.
 * @example
 * console.log(renderSearch(await search(client, contract)))
 */
export function renderSearch(report: SearchReport, matcher = 'search'): string {
  const { counterexample } = report
  if (counterexample === null) return [...summary(report, matcher), '', ...met(report), '', report.coverage.table()].join('\n')
  if (counterexample.again === 'upheld') return unconfirmed(report, counterexample, matcher)
  const [verdict] = counterexample.broken
  const others = counterexample.broken.slice(1).map(({ guarantee }) => guarantee)
  return [
    renderFailure(matcher, verdict!, counterexample.trials, { replay: asJson(counterexample.options) }),
    ...(others.length === 0 ? [] : [line('broken too', others.join(', '))]),
    '',
    ...howFound(report, counterexample),
    ...howToReplay(report, counterexample),
  ].join('\n')
}

function howFound({ seed, runs, shard }: SearchReport, found: Counterexample): string[] {
  const where =
    found.found === 'corpus'
      ? 'it was kept as a counterexample before'
      : `run ${found.runsUntilFound}, seed ${seed}, path "${found.path}"${shard === null ? '' : `, shard ${shard.index}/${shard.count}`}; ` +
        `shrunk ${plural(found.shrinks, 'time')}${found.isShrinkingCut ? ', until the time was up' : ''}`
  return [
    line('found', where),
    ...(runs > 1 && found.found === 'search' ? [line('', `${plural(runs - 1, 'run')} before it upheld the contract`)] : []),
    ...(found.again === 'changed'
      ? [
          line(
            'again',
            'the same run gave another trace: the client keeps state between trials (use `create` in defineClient), or depends on the transport',
          ),
        ]
      : []),
    ...(found.savedAs === null ? [] : [line('kept', found.savedAs)]),
  ]
}

/** The text survives an update of fast-check; seed and path need not. */
function howToReplay({ seed }: SearchReport, { schedule, trials, options, path }: Counterexample): string[] {
  const calls = trials.map((trial) => `await runTrial(client, ${trial.schedule}, ${JSON.stringify(options)})`)
  // With the twin that shows what the client does when the hint is absent.
  const subject = calls.length === 1 ? calls[0] : `[${calls.join(', ')}]`
  return [
    line('in a test', `await expect(${subject}).toUphold(contract)`),
    line('by hand', `npx retrial serve ${shellQuoted(schedule)}`),
    ...(path === null ? [] : [line('by seed', `toUphold(contract, { seed: ${seed}, path: '${path}' })`)]),
  ]
}

const asJson = (options: Counterexample['options']): Record<string, JsonValue> => JSON.parse(JSON.stringify(options))

/** For a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function unconfirmed({ seed }: SearchReport, found: Counterexample, matcher: string): string {
  const [verdict] = found.broken
  return [
    `inconclusive: a failure of ${matcher} did not come again when the same run was repeated: the client keeps state between trials (use \`create\` in defineClient), or draws on something the clock cannot see`,
    '',
    renderFailure(matcher, verdict!, found.trials),
    '',
    ...howToReplay({ seed } as SearchReport, found),
  ].join('\n')
}

function summary(report: SearchReport, matcher: string): string[] {
  const { kind, runs, runsAsked, skipped, seed, isCut, unmet, shard, elapsedMs } = report
  const extent = `${plural(runs, 'run')}${isCut ? ` of ${runsAsked}, then the time was up` : ''}`
  const which = `seed ${seed}${shard === null ? '' : `, shard ${shard.index}/${shard.count}`}`
  if (kind === 'upheld') return [`${matcher}: upheld in ${extent} (${which}; ${skipped} more met nothing; ${elapsedMs} ms)`]
  const why =
    runs === 0
      ? `none of ${plural(skipped, 'run')} met anything that the contract speaks about`
      : `${unmet.join(', ')} promised, and never met in ${extent}`
  return [`inconclusive: ${why} (${which}); give more runs, or promise what the client does`]
}

function met({ counts }: SearchReport): string[] {
  const rows = [...counts].filter(([, { pass, fail, inconclusive }]) => pass + fail + inconclusive > 0)
  return [
    'guarantee       kept  not met',
    ...rows.map(
      ([id, { pass, inconclusive }]) => `${id.padEnd(14)}  ${String(pass).padStart(4)}  ${String(inconclusive).padStart(7)}`,
    ),
  ]
}
