import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Clients with a built-in host are routed by nock, and nock is not there. */
export class NockMissingError extends Error {
  override readonly name = 'NockMissingError'
}

/** What a request listener is given. */
export interface InterceptedRequest {
  readonly request: Request
  readonly controller: {
    respondWith(response: Response): void
    errorWith(error: Error): void
  }
}

/** The interceptor of node:http that nock 14 stands on. */
export interface HttpInterceptor {
  apply(): void
  dispose(): void
  on(event: 'request', listener: (event: InterceptedRequest) => Promise<void>): unknown
}

/** The part of nock that is used: its own interceptors are asked before those of the trial. */
export interface Nock {
  (
    origin: string,
    options: { allowUnmocked: boolean },
  ): {
    intercept(path: () => boolean, method: string): { reply(status: number): unknown }
  }
  isActive(): boolean
  restore(): void
  removeInterceptor(interceptor: unknown): boolean
}

/** The interceptor of node:http that runs is kept here (nock 14, msw); a second one, like the trial's, only lends it its listeners. */
export const RUNNING = Symbol.for('client-request-interceptor')
/** All of what nock 14 shares with msw in this way. */
const SHARED = [RUNNING, Symbol.for('fetch-interceptor'), Symbol.for('xhr-interceptor')]

/** What nock 14 stands on. */
export interface NockInterception {
  createInterceptor(): HttpInterceptor
  /** The request that a client of node:http holds. */
  rawRequestOf(request: Request): unknown
}

export interface LoadedNock {
  readonly nock: Nock
  /** null under nock 15, which mocks sockets themselves: nobody could tell any more when the wire is quiet. */
  readonly interception: NockInterception | null
}

let loading: Promise<LoadedNock> | undefined

/** Loads nock at its first use; a nock that the user has loaded stays as it is. */
export const loadNock = (): Promise<LoadedNock> => {
  loading ??= load()
  return loading
}

/** Whether somebody has loaded nock 14; 15, which is no CommonJS, leaves no trace. */
export function isNockLoaded(): boolean {
  const here = createRequire(import.meta.url)
  try {
    return here.cache[here.resolve('nock')] !== undefined
  } catch {
    return false
  }
}

async function load(): Promise<LoadedNock> {
  const nock = isNockLoaded() ? await importNock() : await importAtRest()
  const fromNock = createRequire(createRequire(import.meta.url).resolve('nock'))
  const part = async (name: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(fromNock.resolve(`@mswjs/interceptors${name}`)).href)
  const { getRawRequest } = (await part('')) as { getRawRequest?: NockInterception['rawRequestOf'] }
  // Only what nock 14 stands on tells the raw request.
  if (getRawRequest === undefined) return { nock, interception: null }
  const { ClientRequestInterceptor } = (await part('/ClientRequest')) as { ClientRequestInterceptor: new () => HttpInterceptor }
  return { nock, interception: { createInterceptor: () => new ClientRequestInterceptor(), rawRequestOf: getRawRequest } }
}

/** To load nock is to activate it, which a user of msw alone has not asked for. */
async function importAtRest(): Promise<Nock> {
  const shared = globalThis as unknown as Record<symbol, unknown>
  const fetchBefore = globalThis.fetch
  const running = SHARED.map((symbol) => shared[symbol])
  const nock = await importNock()
  // Nock 15 may have been loaded before; then fetch is as it was.
  if (!isNockLoaded() && globalThis.fetch === fetchBefore) return nock
  nock.restore()
  // A lender that goes takes the one it lent to off the record.
  for (const [index, symbol] of SHARED.entries()) if (running[index] !== undefined) shared[symbol] = running[index]
  return nock
}

async function importNock(): Promise<Nock> {
  try {
    return (await import('nock')).default as unknown as Nock
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new NockMissingError("a client with `origin` is routed by nock, which is not installed: run 'npm install -D nock'", {
      cause: error,
    })
  }
}
