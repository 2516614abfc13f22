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

async function load(): Promise<LoadedNock> {
  const before = globalThis.fetch
  const nock = await importNock()
  // To load nock is to activate it, unless somebody has done so before.
  if (globalThis.fetch !== before) nock.restore()
  const fromNock = createRequire(createRequire(import.meta.url).resolve('nock'))
  const part = async (name: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ pathToFileURL(fromNock.resolve(`@mswjs/interceptors${name}`)).href)
  const { getRawRequest } = (await part('')) as { getRawRequest?: NockInterception['rawRequestOf'] }
  // Only what nock 14 stands on tells the raw request.
  if (getRawRequest === undefined) return { nock, interception: null }
  const { ClientRequestInterceptor } = (await part('/ClientRequest')) as { ClientRequestInterceptor: new () => HttpInterceptor }
  return { nock, interception: { createInterceptor: () => new ClientRequestInterceptor(), rawRequestOf: getRawRequest } }
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
