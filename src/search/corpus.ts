import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgedRun } from './model.js'
import { planShrinker, type TrialPlan } from './plan-shrinker.js'
import { type StepList, scheduleShrinker } from './schedule-shrinker.js'
import { SearchOptionsError } from './space.js'

const FORMAT = 'retrial-counterexample'

/** A counterexample as it is kept in the user's project. */
export interface Kept {
  readonly format: typeof FORMAT
  readonly client: string
  /** What it broke when it was found; for readers. */
  readonly broke: string
  readonly schedule: StepList
  readonly options: TrialPlan
}

/** The counterexamples of one client in a directory, in the order of their names; none if there is no directory. */
export async function readCorpus(directory: string, client: string): Promise<readonly Kept[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => name.endsWith('.json')).sort()
  const all = await Promise.all(
    files.map(async (name) => parse(join(directory, name), await readFile(join(directory, name), 'utf8'))),
  )
  return all.filter((kept) => kept !== null && kept.client === client).filter((kept) => kept !== null)
}

/** null for a JSON file of another kind, which may lie there too. */
function parse(path: string, text: string): Kept | null {
  let value: Partial<Kept>
  try {
    value = JSON.parse(text) as Partial<Kept>
  } catch (error) {
    throw new SearchOptionsError(`corpus: expected JSON in ${path}: ${(error as Error).message}`)
  }
  if (value?.format !== FORMAT) return null
  if (typeof value.client === 'string' && scheduleShrinker.accepts(value.schedule) && planShrinker.accepts(value.options)) {
    return value as Kept
  }
  throw new SearchOptionsError(`corpus: expected { format, client, schedule, options } of a counterexample in ${path}`)
}

/** Keeps a counterexample under a name made from what it is, so that the same one is kept once. Returns the path. */
export async function saveToCorpus(directory: string, client: string, { draw, broken }: JudgedRun): Promise<string> {
  const what = { client, schedule: draw.schedule, options: draw.plan }
  const kept: Kept = {
    format: FORMAT,
    client,
    broke: broken[0]?.reasons[0]?.text ?? '',
    schedule: draw.schedule,
    options: draw.plan,
  }
  const hash = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 10)
  const path = join(directory, `${client.replace(/[^\w.-]+/g, '-')}-${hash}.json`)
  await mkdir(directory, { recursive: true })
  // Renamed into place: several workers may write, and nobody may read a half.
  const draft = `${path}.${process.pid}.draft`
  await writeFile(draft, `${JSON.stringify(kept, null, 2)}\n`)
  await rename(draft, path)
  return path
}
