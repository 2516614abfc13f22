import { show } from '../../trial/client.js'

/** The list of models cannot be had, or must not be kept that long. */
export class ModelListError extends Error {
  override readonly name = 'ModelListError'
}

/** The models that are live, fetched once and kept. */
export interface ModelList {
  ids(): Promise<ReadonlySet<string>>
}

export interface ModelListOptions {
  /** Fetches the ids of the live models: `GET /models`. */
  readonly load: () => Promise<Iterable<string>>
  /** How long a fetched list may be used, in milliseconds. */
  readonly ttlMs: number
  /** Age in milliseconds from which a list is still used, but fetched anew in the background. Default: half the TTL. */
  readonly refreshMs?: number
  /** Announced shut-downs: id -> the date from which it is gone (anything that `Date` parses). */
  readonly shutdowns?: Readonly<Record<string, string>>
  /** Where the time is read: the clock of a trial, or `{ wallMs: Date.now }`. */
  readonly clock: { wallMs(): number }
}

/**
 * A cached list of live models: one fetch serves everybody until the TTL is over; a failed refresh is forgiven until then, not after.
 * A model whose announced shut-down has come is not live, whatever the cached list says.
 *
 * @throws ModelListError when a model is to be shut down before the list would expire: the cache would go on letting it through
 * @example
 * const live = createModelList({ load: () => listModels(), ttlMs: 600_000, clock: { wallMs: Date.now } })
 * const { accepted, dropped } = await preflight(['atlas-1', 'atlas-2'], live)
 */
export function createModelList(options: ModelListOptions): ModelList {
  const { ttlMs, refreshMs = ttlMs / 2, shutdowns = {}, clock } = options
  checkDurations(ttlMs, refreshMs)
  requireFunction('load', options.load)
  requireFunction('clock.wallMs', clock?.wallMs)
  const gone = Object.entries(shutdowns).map(([id, date]) => [id, shutdownMs(id, date, clock.wallMs(), ttlMs)] as const)
  let cached: { readonly ids: ReadonlySet<string>; readonly loadedMs: number } | undefined
  let loading: Promise<ReadonlySet<string>> | undefined

  const load = (): Promise<ReadonlySet<string>> => {
    loading ??= (async () => {
      try {
        const ids = new Set(requireIds('createModelList(options).load()', await options.load()))
        // All jobs would be dropped without a word.
        if (ids.size === 0) throw new ModelListError('createModelList(options).load(): the list of models is empty')
        cached = { ids, loadedMs: clock.wallMs() }
        return ids
      } finally {
        loading = undefined
      }
    })()
    return loading
  }
  const current = async (): Promise<ReadonlySet<string>> => {
    const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : clock.wallMs() - cached.loadedMs
    if (ageMs >= ttlMs) return load()
    // Nobody waits for a refresh, and one that fails is tried again by whoever asks next.
    if (ageMs >= refreshMs) load().catch(() => undefined)
    return cached!.ids
  }
  return {
    ids: async () => {
      const ids = await current()
      const nowMs = clock.wallMs()
      const over = gone.filter(([id, atMs]) => atMs <= nowMs && ids.has(id)).map(([id]) => id)
      return over.length === 0 ? ids : new Set([...ids].filter((id) => !over.includes(id)))
    },
  }
}

function requireFunction(name: string, value: unknown): void {
  if (typeof value === 'function') return
  throw new ModelListError(`createModelList(options).${name}: expected a function, received ${show(value)}`)
}

/** A string is a list of characters, and no list of ids. */
function requireIds(place: string, value: unknown): readonly string[] {
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value
  if (!isList) throw new ModelListError(`${place}: expected a list of ids, received ${show(value)}`)
  const ids: readonly unknown[] = [...(value as Iterable<unknown>)]
  const wrong = ids.find((id) => typeof id !== 'string')
  if (wrong !== undefined) throw new ModelListError(`${place}: expected ids as strings, received ${show(wrong)}`)
  return ids as readonly string[]
}

function checkDurations(ttlMs: number, refreshMs: number): void {
  if (!(Number.isFinite(ttlMs) && ttlMs > 0)) {
    throw new ModelListError(`createModelList(options).ttlMs: expected milliseconds > 0, received ${show(ttlMs)}`)
  }
  if (!(refreshMs > 0 && refreshMs <= ttlMs)) {
    throw new ModelListError(
      `createModelList(options).refreshMs: expected milliseconds > 0 and at most the TTL (${ttlMs}), received ${show(refreshMs)}`,
    )
  }
}

function shutdownMs(id: string, date: string, nowMs: number, ttlMs: number): number {
  const atMs = Date.parse(date)
  const place = `createModelList(options).shutdowns['${id}']`
  if (Number.isNaN(atMs)) throw new ModelListError(`${place}: expected a date, received ${show(date)}`)
  if (atMs > nowMs && atMs <= nowMs + ttlMs) {
    throw new ModelListError(
      `${place}: ${id} shuts down in ${atMs - nowMs} ms, before a list fetched now expires (ttlMs: ${ttlMs}); expected a TTL below that`,
    )
  }
  return atMs
}

export interface PreflightResult {
  /** The models that are live, as they were given. */
  readonly accepted: readonly string[]
  /** The ids that are not, each once. */
  readonly dropped: readonly string[]
}

/**
 * Sorts out, before any job is submitted, the models that can only answer 404: an API failure becomes a list of rejected ids.
 *
 * @param models ids as the jobs name them, repeats allowed
 * @param live the ids of the live models, or a cached list of them
 * @throws ModelListError for what is no list of ids; whatever the cached list could not be loaded for
 * @example
 * await preflight(['atlas-1', 'atlas-2'], ['atlas-2']) // { accepted: ['atlas-2'], dropped: ['atlas-1'] }
 */
export async function preflight(models: readonly string[], live: Iterable<string> | ModelList): Promise<PreflightResult> {
  const names = requireIds('preflight(models, live).models', models)
  const ids = isModelList(live) ? await live.ids() : new Set(requireIds('preflight(models, live).live', live))
  return {
    accepted: names.filter((model) => ids.has(model)),
    dropped: [...new Set(names.filter((model) => !ids.has(model)))],
  }
}

const isModelList = (live: Iterable<string> | ModelList): live is ModelList =>
  typeof live === 'object' && live !== null && 'ids' in live
