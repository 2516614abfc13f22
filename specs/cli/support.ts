import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Io } from '../../src/cli/io.js'
import { main } from '../../src/cli/main.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A folder of its own for a test, gone when it is over. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'retrial-cli-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export interface Running {
  /** Resolves with the line of output that matches. */
  line(pattern: RegExp): Promise<string>
  /** Ctrl-C. */
  interrupt(): void
  readonly exit: Promise<number>
  readonly out: readonly string[]
  readonly err: readonly string[]
}

/** Starts the command line inside this process. */
export function start(argv: readonly string[], { cwd = ROOT, stdin = '' } = {}): Running {
  const out: string[] = []
  const err: string[] = []
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = []
  const handlers = new Set<() => void>()
  const io: Io = {
    out(text) {
      out.push(text)
      for (const { pattern, resolve } of waiting) if (pattern.test(text)) resolve(text)
    },
    err: (text) => err.push(text),
    progress: () => {},
    color: false,
    cwd,
    readStdin: async () => stdin,
    onInterrupt(fn) {
      handlers.add(fn)
      return () => handlers.delete(fn)
    },
  }
  return {
    line(pattern) {
      const found = out.find((text) => pattern.test(text))
      return found === undefined ? new Promise((resolve) => waiting.push({ pattern, resolve })) : Promise.resolve(found)
    },
    interrupt: () => {
      for (const fn of handlers) fn()
    },
    exit: main(argv, io, '1.2.3'),
    out,
    err,
  }
}

export interface Finished {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command line inside this process, to its end. */
export async function run(argv: readonly string[], options: { cwd?: string; stdin?: string } = {}): Promise<Finished> {
  const running = start(argv, options)
  const code = await running.exit
  return { code, out: running.out.join('\n'), err: running.err.join('\n') }
}

/** The address that `serve` printed. */
export const addressOf = async (serving: Running): Promise<string> =>
  (await serving.line(/^listening on /)).slice('listening on '.length)

/** Starts the command line as a process of its own. */
export function launch(argv: readonly string[], cwd: string): ChildProcess {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, VITEST: undefined, NODE_OPTIONS: undefined }
  const tsx = join(ROOT, 'node_modules/tsx/dist/esm/index.mjs')
  return spawn(process.execPath, ['--import', tsx, join(ROOT, 'src/cli/index.ts'), ...argv], {
    cwd,
    env: env as NodeJS.ProcessEnv,
  })
}

/** Waits for a process; its output and how it ended. */
export function ending(child: ChildProcess): Promise<Finished & { signal: NodeJS.Signals | null }> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? -1, out, err, signal }))
  })
}

/** Whether a program can be run here. */
export const has = (program: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, ['--version'], { stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
