import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import type { ContractReport } from '../../contract/index.js'
import type { Io } from '../io.js'
import { type CheckPlan, checkSpec } from './check-spec.js'

/** What running the generated spec came to. */
export interface CheckRun {
  /** null when the suite never began. */
  readonly report: ContractReport | null
  /** Messages of the failed tests: rule, expected, received, timeline. */
  readonly failures: readonly string[]
  /** What kept the suite from running: a module that cannot be loaded, a contract that cannot be. */
  readonly errors: readonly string[]
}

/** Below the project's node_modules where there is one, so that its packages resolve; else in the system's place for such. */
function workFolder(cwd: string): string {
  const modules = join(cwd, 'node_modules')
  const parent = existsSync(modules) ? join(modules, '.retrial') : tmpdir()
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'check-'))
}

/** Runs the contract suite in vitest, through its own API, and collects what it found. */
export async function runCheck(plan: Omit<CheckPlan, 'reportFile'>, config: string | undefined, io: Io): Promise<CheckRun> {
  const folder = workFolder(io.cwd)
  const reportFile = join(folder, 'report.json')
  const spec = join(folder, 'check.spec.mjs')
  try {
    writeFileSync(spec, checkSpec({ ...plan, reportFile }))
    const collector = new Collector(io)
    const vitest = await start(folder, config, collector)
    const errors = [...collector.errors, ...vitest.state.getUnhandledErrors().map(messageOf)]
    await vitest.close()
    const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as ContractReport) : null
    return { report, failures: collector.failures, errors }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(folder: string, config: string | undefined, reporter: Reporter): Promise<Vitest> {
  const { startVitest } = await import('vitest/node')
  return startVitest('test', [], {
    root: folder,
    config: config ?? false,
    include: ['check.spec.mjs'],
    exclude: [],
    watch: false,
    // Nobody's settings but its own: virtual time needs node's environment.
    environment: 'node',
    coverage: { enabled: false },
    reporters: [reporter],
    silent: true,
  })
}

const messageOf = (error: unknown): string => {
  const { message = String(error), name = 'Error' } = error as Partial<Error>
  return name === 'Error' ? message : `${name}: ${message}`
}

class Collector implements Reporter {
  readonly failures: string[] = []
  readonly errors: string[] = []
  readonly #io: Io
  #done = 0

  constructor(io: Io) {
    this.#io = io
  }

  onTestCaseResult(test: TestCase): void {
    this.#done++
    this.#io.progress(`${this.#done} cases`)
    const result = test.result()
    if (result.state !== 'failed') return
    for (const { message } of result.errors) this.failures.push(message)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#io.progress('')
    for (const error of module.errors()) this.errors.push(messageOf(error))
  }
}
