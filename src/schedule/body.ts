import * as z from 'zod'
import type { Base64Body } from './model.js'
import { show } from './words.js'

const MAX_DEPTH = 500
const EXPECTED = 'text, a JSON value, bytes or { $base64 }'

interface Unsendable {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const isRecord = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The first part of a value that JSON would drop, change or refuse. */
const findUnsendable = (value: unknown, path: readonly PropertyKey[]): Unsendable | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return null
  if (path.length > MAX_DEPTH) return { path: [], message: `expected at most ${MAX_DEPTH} levels of nesting` }
  if (typeof value !== 'object' || !(Array.isArray(value) || isRecord(value))) {
    return { path, message: `expected a JSON value, received ${show(value)}` }
  }
  // A property without a value is left out, as JSON.stringify does; a list cannot leave out an entry.
  const entries: [PropertyKey, unknown][] = Array.isArray(value)
    ? Array.from(value, (item: unknown, index) => [index, item])
    : Object.entries(value).filter(([, item]) => item !== undefined)
  for (const [key, item] of entries) {
    const found = findUnsendable(item, [...path, key])
    if (found) return found
  }
  return null
}

const isBase64 = (body: unknown): body is Base64Body =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, '$base64')

const checkBase64 = (body: Base64Body): Unsendable | null => {
  const extra = Object.keys(body).find((key) => key !== '$base64')
  if (extra !== undefined) return { path: [extra], message: '"$base64" stands alone; no other key is allowed beside it' }
  const text: unknown = body.$base64
  if (typeof text === 'string' && Buffer.from(text, 'base64').toString('base64') === text) return null
  return { path: ['$base64'], message: `expected base64 with padding, received ${show(text)}` }
}

const checkBody = (body: unknown): Unsendable | null => {
  if (body instanceof Uint8Array) return null
  if (isBase64(body)) return checkBase64(body)
  if (typeof body === 'object' || typeof body === 'string' || typeof body === 'boolean' || Number.isFinite(body)) {
    return findUnsendable(body, [])
  }
  return { path: [], message: `expected ${EXPECTED}, received ${show(body)}` }
}

/** A value that can be sent as JSON; the issue names the part that cannot. */
const sendable = (check: (value: unknown) => Unsendable | null) =>
  z
    .unknown()
    .superRefine((value, context) => {
      const found = value === undefined ? null : check(value)
      if (found) context.addIssue({ code: 'custom', path: [...found.path], message: found.message })
    })
    .optional()

export const jsonValue = sendable((value) => findUnsendable(value, []))

export const body = sendable(checkBody).meta({
  description: 'Body of the answer: text as it is, a JSON value, or bytes as { "$base64": "..." }.',
})

/** Bytes as JSON can hold them; any other body as it is. */
export const printableBody = (body: unknown): unknown =>
  body instanceof Uint8Array ? { $base64: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64') } : body
