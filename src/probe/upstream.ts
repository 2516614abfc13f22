import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import * as tls from 'node:tls'
import type { FaultKind } from '../schedule/model.js'
import { ProbeError } from './errors.js'

export interface TlsOptions {
  /** Certificates in PEM to trust besides the usual ones. */
  readonly ca?: string
  /** Talk to an endpoint whose certificate cannot be checked. Default false. */
  readonly insecure?: boolean
}

/** What one request to the endpoint consists of. */
interface Outgoing {
  readonly method: string
  /** Below the base URL. */
  readonly path: string
  /** Name and value by turns, as they are sent. */
  readonly headers: readonly string[]
  readonly agent: HttpAgent
}

/** The real endpoint behind a recording proxy. */
export interface Upstream {
  readonly origin: string
  /** Path of the base URL without the slash at its end; '' for none. */
  readonly basePath: string
  readonly isLoopback: boolean
  /** The Authorization header that is sent when the client sends none; null for a URL without a user. */
  readonly credentials: string | null
  request(outgoing: Outgoing): ClientRequest
  /** The connections of one client connection: the client's own pooling is all the pooling there is. */
  createAgent(): HttpAgent
}

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i

/**
 * Reads the base URL of an endpoint. A user and a password in it are sent as Basic credentials.
 *
 * @throws ProbeError for what is no http or https URL
 */
export function readUpstream(baseURL: string, { ca, insecure = false }: TlsOptions = {}): Upstream {
  const url = parse(baseURL)
  const authorities = ca === undefined ? undefined : [...usualAuthorities(), certificatesIn(ca)]
  const isTls = url.protocol === 'https:'
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  const basePath = url.pathname.replace(/\/$/, '')
  const credentials = url.username === '' && url.password === '' ? null : basic(url)
  return {
    origin: url.origin,
    basePath,
    isLoopback: LOOPBACK.test(url.hostname),
    credentials,
    createAgent: () =>
      isTls
        ? new HttpsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: !insecure, ca: authorities })
        : new HttpAgent({ keepAlive: true, maxSockets: 1 }),
    request({ method, path, headers, agent }) {
      const needsCredentials = credentials !== null && !headers.some((name, i) => i % 2 === 0 && /^authorization$/i.test(name))
      const lines = ['Host', url.host, ...headers, ...(needsCredentials ? ['Authorization', credentials] : [])]
      const options = {
        hostname,
        port,
        method,
        path: basePath + path,
        headers: lines as unknown as Record<string, string>,
        agent,
      }
      return isTls ? httpsRequest(options) : httpRequest(options)
    },
  }
}

/** Naming certificates would take the place of those that are trusted anyway (from Node 22.15 on also those of NODE_EXTRA_CA_CERTS). */
const usualAuthorities = (): readonly string[] =>
  (tls as { getCACertificates?: () => readonly string[] }).getCACertificates?.() ?? tls.rootCertificates

function certificatesIn(ca: string): string {
  if (/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(ca)) return ca
  throw new ProbeError('ca: expected certificates in PEM (-----BEGIN CERTIFICATE-----)')
}

function parse(baseURL: string): URL {
  const wrong = (why: string) => new ProbeError(`baseURL: expected an http or https URL, ${why}`)
  if (typeof baseURL !== 'string' || !URL.canParse(baseURL))
    throw wrong(`received ${typeof baseURL === 'string' ? 'something else' : typeof baseURL}`)
  const url = new URL(baseURL)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong(`received ${url.protocol}`)
  if (url.search !== '' || url.hash !== '') throw wrong('without a query or a fragment: give the query with the path of the call')
  return url
}

const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

/** Why there was no answer: the endpoint's doing, or nothing that a client could be judged by. */
export type Failure =
  | { readonly kind: 'fault'; readonly fault: Extract<FaultKind, 'reset' | 'reset-headers' | 'close' | 'refuse' | 'garbage'> }
  | { readonly kind: 'setup'; readonly code: string }

const UNREACHABLE =
  /^(ENOTFOUND|EAI_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH|ERR_INVALID|ERR_UNESCAPED)/

/** What an error of node's HTTP client says about the endpoint, before a status line arrived. */
export function failureOf(error: NodeJS.ErrnoException): Failure {
  const { code = '', syscall } = error
  if (UNREACHABLE.test(code)) return { kind: 'setup', code }
  // The connection ended inside of the header block.
  if (code === 'HPE_INVALID_EOF_STATE') return { kind: 'fault', fault: 'reset-headers' }
  if (code.startsWith('HPE_')) return { kind: 'fault', fault: 'garbage' }
  if (syscall === 'connect') return { kind: 'fault', fault: 'refuse' }
  // Without a system call it is node's "socket hang up": the connection was closed in good order, and no answer came.
  return { kind: 'fault', fault: syscall === undefined && code === 'ECONNRESET' ? 'close' : 'reset' }
}
