import { invalidArgumentError } from './fetch-errors.js'

/** A request as undici's `fetch` hands it to its dispatcher. */
export interface DispatchOptions {
  readonly origin: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | null
  readonly body?: AsyncIterable<Uint8Array> | null
  readonly upgrade?: string
  readonly maxRedirections?: number
}

const MAY_HAVE_BODY: readonly string[] = ['POST', 'PUT', 'PATCH']
/** Names that undici does not let a client send. */
const NOT_THE_CLIENTS: readonly string[] = ['transfer-encoding', 'keep-alive', 'upgrade', 'expect']

/** Only `fetch` asks in this form; the other functions of undici have times and pipelining of their own. */
export const isFetch = (options: DispatchOptions): boolean =>
  'maxRedirections' in options && 'upgrade' in options && options.upgrade === undefined

/** The header block as undici would write it, or the error that it has for it. */
export function headersOf(options: DispatchOptions): Record<string, string> | Error {
  const headers: Record<string, string> = {}
  for (const [given, value] of Object.entries(options.headers ?? {})) {
    const name = given.toLowerCase()
    if (NOT_THE_CLIENTS.includes(name)) return invalidArgumentError(`invalid ${name} header`)
    headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  headers.host ??= new URL(options.origin).host
  // After a HEAD undici does not use the connection again.
  const closes = options.method === 'HEAD' || headers.connection?.toLowerCase() === 'close'
  headers.connection = closes ? 'close' : 'keep-alive'
  const hasBody = options.body != null
  if (hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  if (!hasBody && !MAY_HAVE_BODY.includes(options.method)) delete headers['content-length']
  return headers
}

/** Reads a body to its end; it ends early when the request is aborted. */
export async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
