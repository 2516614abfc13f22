import type { Command } from 'commander'
import { FORMATS, type ReportFormat } from '../../experiments/index.js'
import type { ClientInput } from '../../trial/model.js'
import { EXIT, type ExitCode, UsageError } from '../exit.js'
import { writeWhole } from '../files.js'
import type { Io } from '../io.js'
import { loadClient } from '../load-module.js'
import { integer, oneOf, severalOf } from '../options.js'

/** What the commands of the two experiments have in common. */
export interface ExperimentFlags<Strategy> {
  readonly runs: number
  readonly seed: number
  readonly strategy?: readonly Strategy[]
  readonly client?: string
  readonly format: ReportFormat
  readonly out?: string
  readonly json?: boolean
}

export const withExperimentOptions = (command: Command, strategies: readonly string[], runs: number): Command =>
  command
    .option('--runs <n>', 'seeds', integer(1), runs)
    .option('--seed <n>', 'of the first run', integer(0), 1)
    .option('--strategy <name>', `one of ${strategies.join(', ')}; several, or all of them`, severalOf(strategies))
    .option('--client <module>', 'a client of your own, exported as `client` or by default')
    .option('--format <format>', FORMATS.join(', '), oneOf(FORMATS), 'table')
    .option('-o, --out <file>', 'write to a file')

type Progress = (done: number, total: number, label: string) => void
type Watched<Options> = Options & { readonly onProgress: Progress }

/** An experiment: run with strategies, or with a client of the user's own. */
export interface Experiment<Options, Result> {
  compare(options: Watched<Options>): Promise<Result>
  judge(options: Watched<Options> & { readonly client: ClientInput }): Promise<Result>
  render(result: Result, format: ReportFormat): string
}

/** What is run, under the flags that choose it. */
export interface Case<Options> {
  readonly name: string
  readonly options: Options
}

/** Runs one case or several, one after the other, and prints their reports. */
export async function runCases<Options, Result>(
  { compare, judge, render }: Experiment<Options, Result>,
  cases: readonly Case<Options>[],
  { client, format: asked, json, out }: ExperimentFlags<unknown>,
  io: Io,
): Promise<ExitCode> {
  const format = json ? 'json' : asked
  if (format === 'svg' && cases.length > 1) {
    const names = cases.map(({ name }) => name).join(', or ')
    throw new UsageError(`--format svg: a picture shows one case; choose one: ${names}`)
  }
  const own = client === undefined ? null : await loadClient(client, io)
  const reports: string[] = []
  for (const { name, options } of cases) {
    const onProgress: Progress = (done, of, label) => io.progress(`${name}, ${label}: run ${done} of ${of}`)
    const watched = { ...options, onProgress }
    reports.push(render(await (own === null ? compare(watched) : judge({ ...watched, client: own })), format))
  }
  io.progress('')
  // Several reports as JSON are a list.
  const content = format !== 'json' || reports.length === 1 ? reports.join('\n\n\n') : `[\n${reports.join(',\n')}\n]`
  if (out === undefined) io.out(content)
  else writeWhole(out, `${content}\n`, io)
  return EXIT.upheld
}
