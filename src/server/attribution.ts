/** Where a request target leads: the call it belongs to, if the prefix says so, and the path without the prefix. */
export interface Target {
  /** '/~retrial-token.index', '/~retrial-token', or '' for a request without a prefix. */
  readonly prefix: string
  /** 0-based; null when the prefix has no index. */
  readonly call: number | null
  readonly path: string
}

/** A path of the client's own may begin with a tilde, too: '/~john/'. */
const PREFIX = /^\/~retrial-([^/.?]+)(?:\.(\d+))?(?=[/?]|$)/
/** The absolute form that is sent to proxies (RFC 9112 §3.2.2). */
const AUTHORITY = /^https?:\/\/[^/?]*/i

export const prefixOf = (token: string, callIndex: number | null): string =>
  callIndex === null ? `/~retrial-${token}` : `/~retrial-${token}.${callIndex}`

/** Takes the harness's prefix off a request target; null for a straggler, which carries the token of another trial. */
export function readTarget(requestTarget: string, token: string): Target | null {
  const path = requestTarget.startsWith('/') ? requestTarget : requestTarget.replace(AUTHORITY, '')
  const match = PREFIX.exec(path)
  if (match === null) return { prefix: '', call: null, path: rooted(path) }
  const [prefix, theirs, index] = match
  if (theirs !== token) return null
  return { prefix, call: index === undefined ? null : Number(index), path: rooted(path.slice(prefix.length)) }
}

/** A base URL without a path is asked for '/' . `OPTIONS *` stays as it is. */
const rooted = (path: string): string => (path.startsWith('/') || path === '*' ? path : `/${path}`)
