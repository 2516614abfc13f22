import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { show } from '../../trial/client.js'

/** A place in code, configuration or the environment that names a model. */
export interface InventoryEntry {
  readonly id: string
  /** 'src/client.ts:12', or 'env MODEL_ID'. */
  readonly place: string
  readonly live: boolean
}

export interface Inventory {
  readonly entries: readonly InventoryEntry[]
  /** Ids that are used somewhere and are not live, each once. */
  readonly retired: readonly string[]
  readonly filesRead: number
}

export interface InventoryOptions {
  /** Files and folders to read. */
  readonly from: readonly string[]
  /** Variables to read as well: `process.env`. Default none. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The ids of the live models. */
  readonly live: Iterable<string>
  /** Ids that are known to be retired: found wherever they stand. Default none. */
  readonly retired?: readonly string[]
}

/** A path that was asked for cannot be read, or the options make no sense. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError'
}

const SKIPPED = new Set(['node_modules', '.git', 'dist', 'build', 'coverage', '.venv', '__pycache__'])
const MAX_BYTES = 1_000_000
/** A key that names a model (`model`, `MODEL_ID`, `chatModel`, `"model_name"`) or the flag `--model`, and its value. */
const ASSIGNMENT =
  /(?:--[\w-]*model[\w-]*[\s=]|(?:^|[^\w$])["'`]?[\w.$-]*model(?:[_-]?(?:id|name|version))?["'`]?\s*[:=])\s*["'`]?([\w./:@-]+)/gi
const NAME_OF_VARIABLE = /model/i
/** What may stand in an id, and therefore not next to one. */
const ID_CHARACTER = /[\w.-]/
/** Whether a value looks like an id at all: `model: string` and `model = undefined` do not, `atlas-2` does. */
const LOOKS_LIKE_ID = /^(?=.*[a-z])(?=.*[\d-])[\w./:@-]{3,}$/i

/**
 * Finds the model ids in files and variables and holds them against the list of live ones: known ids wherever they stand, others where a
 * key says that they are models.
 *
 * @throws InventoryError when a path cannot be read, or an option is no list
 * @example
 * const { retired } = await takeInventory({ from: ['src'], env: process.env, live: ['atlas-2'] })
 */
export async function takeInventory({ from, env = {}, live, retired = [] }: InventoryOptions): Promise<Inventory> {
  requireList('from', from)
  requireList('live', live)
  requireList('retired', retired)
  const liveIds = new Set(live)
  const known = [...liveIds, ...retired]
  const entries: InventoryEntry[] = []
  const add = (ids: Iterable<string>, place: string) => {
    for (const id of ids) entries.push({ id, place, live: liveIds.has(id) })
  }
  let filesRead = 0
  for (const file of (await Promise.all(from.map(filesUnder))).flat()) {
    const text = await readText(file)
    if (text === null) continue
    filesRead++
    for (const [i, line] of text.split('\n').entries()) add(idsIn(line, known), `${file}:${i + 1}`)
  }
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) add(idsInVariable(name, value, known), `env ${name}`)
  }
  return { entries, retired: [...new Set(entries.filter((entry) => !entry.live).map(({ id }) => id))], filesRead }
}

/** A string is a list of characters, and no list of paths or ids. */
function requireList(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value) return
  throw new InventoryError(`takeInventory(options).${name}: expected a list, received ${show(value)}`)
}

function idsIn(line: string, known: readonly string[]): Set<string> {
  const assigned = [...line.matchAll(ASSIGNMENT)].map((match) => match[1]!).filter((value) => LOOKS_LIKE_ID.test(value))
  return new Set([...known.filter((id) => standsIn(line, id)), ...assigned])
}

function idsInVariable(name: string, value: string, known: readonly string[]): Set<string> {
  const named = known.filter((id) => standsIn(value, id))
  return new Set(NAME_OF_VARIABLE.test(name) && LOOKS_LIKE_ID.test(value) ? [...named, value] : named)
}

/** As a whole id: `atlas-2` does not stand in `atlas-2-mini`. */
function standsIn(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + id.length] ?? ' '
    const endsSentence = after === '.' && !ID_CHARACTER.test(text[at + id.length + 1] ?? ' ')
    if (!ID_CHARACTER.test(before) && (endsSentence || !ID_CHARACTER.test(after))) return true
  }
  return false
}

async function filesUnder(path: string): Promise<readonly string[]> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new InventoryError(`takeInventory(options).from: ${path} cannot be read (${error.code})`, { cause: error })
  })
  if (!info.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => !SKIPPED.has(name)).sort()
  return (await Promise.all(names.map((name) => filesUnder(join(path, name))))).flat()
}

/** Null for what is too large or not text. */
async function readText(path: string): Promise<string | null> {
  const bytes = await readFile(path)
  return bytes.length > MAX_BYTES || bytes.includes(0) ? null : bytes.toString('utf8')
}
