import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Clients with a built-in host are routed by nock, and nock is not there. */
export class NockMissingError extends Error {
  override readonly name = 'NockMissingError'
}

/** What a request listener is given: the same in nock 14 and 15. */
export interface InterceptedRequest {
  readonly request: Request
  readonly controller: {
    respondWith(response: Response): void
    errorWith(error: Error): void
  }
}

/** The interceptor of node:http that nock stands on. */
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

export interface LoadedNock {
  readonly nock: Nock
  createHttpInterceptor(): HttpInterceptor
  /** The request that a client of node:http holds; undefined where the request's own signal tells of its end. */
  rawRequestOf(request: Request): unknown
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
  const { getRawRequest } = await part('')
  const { ClientRequestInterceptor, HttpRequestInterceptor } = {
    ...(await part('/ClientRequest')),
    // nock 15 has another one.
    ...(await part('/http').catch(() => ({}))),
  } as Record<string, new () => HttpInterceptor>
  const Interceptor = (HttpRequestInterceptor ?? ClientRequestInterceptor)!
  return {
    nock,
    createHttpInterceptor: () => new Interceptor(),
    rawRequestOf: (request) => (getRawRequest as ((request: Request) => unknown) | undefined)?.(request),
  }
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
