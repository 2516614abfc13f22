import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { startClock } from '../../clock/index.js'
import type { ContractReport } from '../../contract/index.js'
import { isRunning } from '../files.js'
import type { Io } from '../io.js'
import { type CheckPlan, checkSpec } from './check-spec.js'

/** What running the generated spec came to. */
export interface CheckRun {
  /** null when the suite never began. */
  readonly report: ContractReport | null
  /** Messages of the failed tests: rule, expected, received, timeline. */
  readonly failures: readonly string[]
  /** What is wrong with how the client was given: no verdicts. */
  readonly setup: readonly string[]
  /** What kept the suite from running: a module that cannot be loaded, a contract that cannot be. */
  readonly errors: readonly string[]
}

/** Below the project's node_modules where there is one, so that its packages resolve; else in the system's place for such. */
function workFolder(cwd: string): string {
  const modules = join(cwd, 'node_modules')
  const parent = join(existsSync(modules) ? modules : tmpdir(), '.retrial')
  mkdirSync(parent, { recursive: true })
  // What a killed process has left behind.
  for (const name of readdirSync(parent)) {
    const pid = Number(/^check-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
    if (pid > 0 && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(parent, `check-${process.pid}-`))
}

interface CheckSetup {
  /** A vite config of the user's. */
  readonly config: string | undefined
  readonly loadTimeoutMs: number
}

/** Runs the contract suite in vitest, through its own API, and collects what it found. */
export async function runCheck(
  plan: Omit<CheckPlan, 'reportFile'>,
  { config, loadTimeoutMs }: CheckSetup,
  io: Io,
): Promise<CheckRun> {
  const folder = workFolder(io.cwd)
  const reportFile = join(folder, 'report.json')
  const spec = join(folder, 'check.spec.mjs')
  try {
    writeFileSync(spec, checkSpec({ ...plan, reportFile }))
    const collector = new Collector(io)
    const vitest = await startInTime(start(folder, config, collector), collector, loadTimeoutMs)
    if (vitest === null) {
      const late = `it had not finished loading after ${loadTimeoutMs} ms (--load-timeout)`
      return { report: null, failures: [], setup: [], errors: [late] }
    }
    const errors = [...collector.errors, ...vitest.state.getUnhandledErrors().map(messageOf)]
    await vitest.close()
    const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as ContractReport) : null
    return { report, failures: collector.failures, setup: [...collector.setup], errors }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** null when the modules have not been loaded in time. What runs then has time-outs of its own. */
async function startInTime(running: Promise<Vitest>, { loaded }: Collector, timeoutMs: number): Promise<Vitest | null> {
  const run = startClock('real', { seed: null })
  const late = new Promise<null>((resolve) => {
    const cancel = run.clock.after(timeoutMs, () => resolve(null))
    void loaded.then(cancel)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    run.stop()
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
    // Without it node would load the spec, since it lies below node_modules, and the client, which may be TypeScript, with it.
    server: { deps: { inline: [/check\.spec\.mjs$/] } },
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
  readonly setup = new Set<string>()
  readonly errors: string[] = []
  readonly loaded: Promise<void>
  #onLoaded: () => void = () => {}
  readonly #io: Io
  #done = 0

  constructor(io: Io) {
    this.#io = io
    this.loaded = new Promise((resolve) => {
      this.#onLoaded = resolve
    })
  }

  onTestModuleCollected(): void {
    this.#onLoaded()
  }

  onTestCaseResult(test: TestCase): void {
    this.#done++
    this.#io.progress(`${this.#done} cases`)
    const result = test.result()
    if (result.state !== 'failed') return
    for (const { name, message } of result.errors) {
      if (name === 'ClientSetupError') this.setup.add(message)
      else this.failures.push(message)
    }
  }

  onTestModuleEnd(module: TestModule): void {
    this.#onLoaded()
    this.#io.progress('')
    for (const error of module.errors()) this.errors.push(messageOf(error))
  }
}
