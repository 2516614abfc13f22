import type { Outcome } from '../trace/model.js'

/** The parts of a Response that every fetch implementation shares. */
interface ResponseLike {
  readonly status: number
  readonly bodyUsed: boolean
  readonly headers: unknown
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Awaits one call and reads a returned Response to its end, since `fetch` settles at the headers and the answer is only whole after its last byte. */
export async function settle(start: () => unknown): Promise<Outcome> {
  let value: unknown
  try {
    value = await start()
  } catch (error) {
    return { kind: 'rejected', error, phase: 'call' }
  }
  if (!isResponse(value)) return { kind: 'resolved', value, ...describe(value) }
  if (value.bodyUsed) return { kind: 'resolved', value, status: value.status }
  try {
    const bodyBytes = new Uint8Array(await value.arrayBuffer())
    return { kind: 'resolved', value, status: value.status, bodyBytes, body: new TextDecoder().decode(bodyBytes) }
  } catch (error) {
    return { kind: 'rejected', error, phase: 'body' }
  }
}

function isResponse(value: unknown): value is ResponseLike {
  if (typeof value !== 'object' || value === null) return false
  const { status, bodyUsed, headers, arrayBuffer } = value as Partial<ResponseLike>
  return (
    typeof status === 'number' &&
    typeof bodyUsed === 'boolean' &&
    typeof headers === 'object' &&
    typeof arrayBuffer === 'function'
  )
}

/** Status and body of the results of other clients: axios ({ status, data }), got and superagent ({ statusCode, body }), plain parsed JSON. */
function describe(value: unknown): { status?: number; body?: string } {
  if (typeof value === 'string') return { body: value }
  if (typeof value !== 'object' || value === null) return {}
  const { status, statusCode, data, body, headers } = value as Record<string, unknown>
  const code = status ?? statusCode
  const isAnswer = typeof code === 'number' && Number.isInteger(code) && code >= 100 && code <= 599 && headers !== undefined
  const content = isAnswer ? (data ?? body) : value
  const text = typeof content === 'string' ? content : toJson(content)
  return { ...(isAnswer ? { status: code } : {}), ...(text === undefined ? {} : { body: text }) }
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined // circular, or a toJSON that throws: the value itself is kept
  }
}
