import { relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Inventory, type InventoryEntry, takeInventory } from '../../experiments/index.js'
import { renderTable } from '../../report/table.js'
import { EXIT, type ExitCode, UsageError } from '../exit.js'
import { readJson } from '../inputs.js'
import type { Io } from '../io.js'
import { command } from '../options.js'

interface PreflightFlags {
  readonly from?: readonly string[]
  readonly env?: boolean
  readonly live?: readonly string[]
  readonly models?: string
  readonly retired?: readonly string[]
  readonly json?: boolean
}

/** `retrial preflight`: the model ids in code, configuration and environment against the list of live ones. */
export function addPreflight(program: Command, io: Io, done: (code: ExitCode) => void): void {
  command(
    program,
    'preflight',
    'which model ids code, configuration and environment name, and which of them are gone',
    `retrial preflight --from src config --env --models models.json
retrial preflight --from src --live atlas-2 atlas-2-mini --retired atlas-1`,
  )
    .option('--from <paths...>', 'files and folders to read')
    .option('--env', 'read the environment variables as well')
    .option('--live <ids...>', 'ids of the live models')
    .option('--models <file>', "the list of live models as JSON, as GET /models answers it; '-' for standard input")
    .option('--retired <ids...>', 'ids that are known to be gone: found wherever they stand')
    .action(async (flags: PreflightFlags) => done(await run(flags, io)))
}

async function run(flags: PreflightFlags, io: Io): Promise<ExitCode> {
  const { from = [], env = false, retired } = flags
  if (from.length === 0 && !env) throw new UsageError('preflight: nothing to read; give --from <paths...>, --env, or both')
  const live = [
    ...(flags.live ?? []),
    ...(flags.models === undefined ? [] : idsOf(flags.models, await readJson(flags.models, io))),
  ]
  if (live.length === 0) throw new UsageError('preflight: no live models; give --live <ids...>, or --models <file> with some')
  const paths = from.map((path) => resolve(io.cwd, path))
  const inventory = await takeInventory({ from: paths, env: env ? process.env : {}, live, retired })
  const entries = inventory.entries.map((entry) => ({ ...entry, place: shortPlace(entry, io.cwd) }))
  io.out(flags.json ? JSON.stringify({ ...inventory, entries }, null, 2) : text({ ...inventory, entries }))
  if (inventory.retired.length > 0) return EXIT.broken
  return inventory.entries.length === 0 ? EXIT.inconclusive : EXIT.upheld
}

const shortPlace = ({ place }: InventoryEntry, cwd: string): string => (place.startsWith('env ') ? place : relative(cwd, place))

function text({ entries, retired, filesRead }: Inventory): string {
  if (entries.length === 0) return `no model id was found (files read: ${filesRead})`
  const rows = entries.map(({ id, live, place }) => [live ? 'live' : 'gone', id, place])
  const table = renderTable([{ head: '' }, { head: 'model' }, { head: 'place' }], rows)
  const sum = retired.length === 0 ? 'every model that is named is live' : `not on the list of live models: ${retired.join(', ')}`
  return `${table}\n\n${sum}`
}

/** The ids in `["a"]`, `{ "models": [...] }` or `{ "data": [...] }`, whose items are ids or have one. */
function idsOf(file: string, value: unknown): readonly string[] {
  const { models, data } = (value ?? {}) as { readonly models?: unknown; readonly data?: unknown }
  const list = [value, models, data].find(Array.isArray) as readonly unknown[] | undefined
  const ids = list?.map((item) => (typeof item === 'string' ? item : nameOf(item)))
  if (ids?.every((id) => typeof id === 'string')) return ids.map((id) => id.replace(/^models\//, ''))
  throw new UsageError(`${file}: expected a list of models: ["id"], { "models": ["id"] } or { "data": [{ "id": "id" }] }`)
}

function nameOf(item: unknown): unknown {
  const { id, name } = (item ?? {}) as { readonly id?: unknown; readonly name?: unknown }
  return id ?? name
}
