import { extname } from 'node:path'
import { type Contract, PRESET_NAMES } from '../guarantees/contract.js'
import { resolveContract } from '../guarantees/resolve.js'
import type { ScheduleInput } from '../schedule/model.js'
import { parseSchedule } from '../schedule/parse.js'
import { UsageError } from './exit.js'
import { readInput } from './files.js'
import type { Io } from './io.js'
import { exportsOf, loadModule } from './load-module.js'

const isModule = (name: string): boolean => /^\.[cm]?[jt]sx?$/.test(extname(name))

async function exported(name: string, what: string, io: Io): Promise<unknown> {
  const module = await loadModule(name, io)
  const value = module[what] ?? module.default
  if (value !== undefined) return value
  throw new UsageError(`${name}: expected an export named ${what}, or a default one; it exports ${exportsOf(module)}`)
}

/** A JSON file, or standard input for '-'. */
export async function readJson(name: string, io: Io): Promise<unknown> {
  try {
    return JSON.parse(await readInput(name, io)) as unknown
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${name}: it is not JSON (${(error as Error).message})`)
  }
}

/** A schedule: JSON on the command line, a JSON file, '-' for standard input, or a module that exports `schedule`. */
export async function readSchedule(given: string, io: Io): Promise<ScheduleInput> {
  const isInline = /^\s*[[{]/.test(given)
  if (!isInline && /^\s*("|\d+\s*$|$)/.test(given)) {
    throw new UsageError(`schedule: expected a JSON list such as '[503,200]', a file, or '-', received '${given}'`)
  }
  const value = isInline ? given : isModule(given) ? await exported(given, 'schedule', io) : await readJson(given, io)
  const { steps, choose } = parseSchedule(value, isInline ? 'schedule' : given)
  return steps ?? choose!
}

/** A contract: a JSON file, or a module that exports `contract`; with a preset, the contract's own promises win. */
export async function readContract(name: string | undefined, preset: string | undefined, io: Io): Promise<Contract> {
  const given = name === undefined ? {} : isModule(name) ? await exported(name, 'contract', io) : await readJson(name, io)
  if (preset !== undefined && !(PRESET_NAMES as readonly string[]).includes(preset)) {
    throw new UsageError(`--preset: expected one of ${PRESET_NAMES.join(', ')}, received ${preset}`)
  }
  const contract = preset === undefined ? given : { preset, ...(given as object) }
  return resolveContract(contract as Contract)
}
