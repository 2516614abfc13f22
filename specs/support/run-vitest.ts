import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface SpecResult {
  readonly name: string
  readonly status: 'passed' | 'failed' | 'pending'
  /** Failure messages without colours, joined. */
  readonly failure: string
}

export interface VitestRun {
  readonly exitCode: number
  readonly tests: readonly SpecResult[]
  /** What the terminal showed, without colours. */
  readonly output: string
}

/**
 * Runs the real vitest on a generated project whose `retrial` is this checkout's source, and reads its JSON report. The project lies below
 * node_modules, so that packages resolve as they do for a user.
 *
 * @param files relative path -> content; *.spec.ts are the tests
 */
export async function runVitest(files: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<VitestRun> {
  const project = makeProject(files)
  try {
    const report = join(project, 'report.json')
    const { exitCode, output } = await runIn(project, [
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ])
    return { exitCode, output, tests: readReport(report, output) }
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** Writes a project, and returns its directory. Whoever makes one removes it. */
export function makeProject(files: Readonly<Record<string, string>>): string {
  mkdirSync(join(ROOT, 'node_modules/.generated'), { recursive: true })
  const project = mkdtempSync(join(ROOT, 'node_modules/.generated/project-'))
  write(project, { 'vitest.config.ts': CONFIG, 'package.json': '{ "type": "module" }', ...files })
  return project
}

const CONFIG = `
import { defineConfig } from 'vitest/config'
import { alias } from '${ROOT}vitest.config.ts'
export default defineConfig({
  resolve: { alias },
  test: { setupFiles: ['${ROOT}src/setup.ts'], include: ['**/*.spec.ts'], exclude: [], root: '.' },
})
`

function write(project: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(project, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

/** Starts vitest in a project; the first argument is its command. */
export function startVitest(project: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, CI: 'true', GITHUB_ACTIONS: undefined, VITEST: undefined }
  return spawn(process.execPath, [vitest, ...args, '--root', project], { cwd: project, env: env as NodeJS.ProcessEnv })
}

/** Runs all tests of a project that `makeProject` made. */
export function runIn(project: string, args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = startVitest(project, ['run', ...args])
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ exitCode: code ?? -1, output }))
  })
}

interface JsonReport {
  testResults: {
    message: string
    assertionResults: { fullName: string; status: SpecResult['status']; failureMessages: string[] }[]
  }[]
}

function readReport(path: string, output: string): readonly SpecResult[] {
  let report: JsonReport
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as JsonReport
  } catch {
    throw new Error(`vitest wrote no report:\n${output}`)
  }
  return report.testResults.flatMap((file) =>
    file.assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName,
      status,
      failure: failureMessages.join('\n'),
    })),
  )
}
