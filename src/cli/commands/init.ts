import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { EXIT, type ExitCode, UsageError } from '../exit.js'
import { writeWhole } from '../files.js'
import type { Io } from '../io.js'
import { command } from '../options.js'
import { CONFIG_FILE, CONFIGS, FILES, SETUP_FILE } from './init-files.js'

/** `retrial init`: what a vitest project needs to begin. It overwrites nothing. */
export function addInit(program: Command, io: Io, done: (code: ExitCode) => void): void {
  command(
    program,
    'init',
    'add setup file, config and a first spec to a project; nothing is overwritten',
    'retrial init && npx vitest run',
  )
    .argument('[folder]', 'of the project', '.')
    .action((folder: string, { json }: { readonly json?: boolean }) => done(run(folder, json ?? false, io)))
}

/** A config of another name serves as well, but has to be changed by hand. */
function configOf(folder: string): string | null {
  return CONFIGS.find((name) => existsSync(join(folder, name))) ?? null
}

function run(given: string, json: boolean, io: Io): ExitCode {
  const folder = resolve(io.cwd, given)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`init: there is no folder ${given}`)
  const config = configOf(folder)
  const written: string[] = []
  const kept: string[] = []
  for (const [name, content] of Object.entries(FILES)) {
    const isThere = existsSync(join(folder, name)) || (name === CONFIG_FILE && config !== null)
    if (isThere) {
      kept.push(name === CONFIG_FILE ? (config ?? name) : name)
      continue
    }
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeWhole(name, content, { cwd: folder })
    written.push(name)
  }
  if (json) io.out(JSON.stringify({ written, kept }))
  else report(written, kept, config, io)
  return EXIT.upheld
}

function report(written: readonly string[], kept: readonly string[], config: string | null, io: Io): void {
  for (const name of written) io.out(`wrote ${name}`)
  for (const name of kept) io.out(`kept  ${name}, which is there already`)
  if (config !== null) io.out(`\nAdd to ${config}, unless it is there: test: { setupFiles: ['./${SETUP_FILE}'] }`)
  io.out(`\nNeeded: npm install --save-dev retrial vitest\nThen:   npx vitest run`)
}
