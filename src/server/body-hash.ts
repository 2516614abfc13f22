import { hash } from 'node:crypto'

const BOUNDARY = /^\s*multipart\/.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i
const TOKEN = 'boundary'
const EMPTY_HASH = hash('sha256', '')

/**
 * SHA-256 of a request body in hex. The boundary of a multipart body is drawn anew for each request by most clients without anything
 * of the content changing, so it is replaced by a fixed token first (RFC 2046 §5.1.1).
 */
export function bodyHash(body: Uint8Array, contentType: string | undefined): string {
  if (body.length === 0) return EMPTY_HASH
  const match = contentType === undefined ? null : BOUNDARY.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) return hash('sha256', body)
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  return hash('sha256', Buffer.from(text.replaceAll(boundary, TOKEN), 'latin1'))
}
