import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { fileURLToPath } from 'node:url'

const tls = (name: string) => readFileSync(fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url)), 'utf8')

export const CERTIFICATE = tls('test-only.cert.pem')

/** What an endpoint does to its nth request (from 1). */
export type Script = (request: IncomingMessage, response: ServerResponse, nth: number, body: string) => void

export interface Endpoint extends AsyncDisposable {
  readonly url: string
  /** Requests that arrived, headers and bodies as they were. */
  readonly seen: readonly { readonly headers: IncomingMessage['headers']; readonly url: string; readonly body: string }[]
}

/** A real endpoint on loopback, http or https with the self-made certificate. */
export async function endpoint(script: Script, { https = false } = {}): Promise<Endpoint> {
  const seen: Endpoint['seen'][number][] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      seen.push({ headers: request.headers, url: request.url!, body })
      script(request, response, seen.length, body)
    })
  }
  const server = https ? createTlsServer({ cert: CERTIFICATE, key: tls('test-only.key.pem') }, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = (server as Server).address() as AddressInfo
  return {
    url: `${https ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** One call with `attempts` tries and hardly any wait between them, so that specs in real time are short. */
export const retrying =
  (attempts: number, { waitMs = 5, retries = (status: number) => status === 429 || status >= 500 } = {}) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    for (let n = 1; ; n++) {
      try {
        const response = await fetch(url, init)
        if (!retries(response.status) || n >= attempts) return response
        await response.text()
        const hint = Number(response.headers.get('retry-after') ?? 0) * 1000
        await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, hint)))
      } catch (error) {
        if (n >= attempts || init.signal?.aborted) throw error
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  }
