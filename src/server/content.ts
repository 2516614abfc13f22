import type { Base64Body, Body, JsonValue, ResponseStep } from '../schedule/model.js'
import { streamText } from './event-text.js'

/** What an answer says, before it is framed or damaged on its way. */
export interface Content {
  readonly body: Uint8Array
  readonly type: string
}

/** What the default body is made from. */
export interface Asked {
  readonly number: number
  readonly body: Uint8Array
}

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const BYTES_TYPE = 'application/octet-stream'

const json = (text: string): Content => ({ body: Buffer.from(text), type: JSON_TYPE })

/** The body of a request as JSON text: its own text when that is JSON already, so that a large body is not built twice. */
function echoOf(body: Uint8Array): string {
  if (body.length === 0) return 'null'
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

function defaultContent(status: number, asked: Asked): Content {
  if (status < 400) return json(`{"attempt":${asked.number},"echo":${echoOf(asked.body)}}`)
  return json(JSON.stringify({ error: { code: `http_${status}`, status, message: `scripted answer ${status}` } }))
}

const isBase64 = (body: Exclude<Body, string | Uint8Array>): body is Base64Body =>
  typeof body === 'object' && body !== null && '$base64' in body

function givenContent(body: Body): Content {
  if (typeof body === 'string') return { body: Buffer.from(body), type: TEXT_TYPE }
  if (body instanceof Uint8Array) return { body, type: BYTES_TYPE }
  if (isBase64(body)) return { body: Buffer.from(body.$base64, 'base64'), type: BYTES_TYPE }
  return json(JSON.stringify(body satisfies JsonValue))
}

/** The undamaged content of a step's answer. */
export function contentOf(step: ResponseStep, asked: Asked): Content {
  if (step.stream !== undefined) return { body: Buffer.from(streamText(step.stream)), type: 'text/event-stream' }
  return step.body === undefined ? defaultContent(step.status, asked) : givenContent(step.body)
}

/** The same content marked as a replay: `dedup: true` in a JSON object, anything else unchanged. */
export function asReplay(content: Content): Content {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(content.body).toString())
  } catch {
    return content
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return content
  return { ...content, body: Buffer.from(JSON.stringify({ ...value, dedup: true })) }
}
