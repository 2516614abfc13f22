import type { JsonValue } from '../../schedule/model.js'
import type { CallPlan } from '../../trial/model.js'
import { UsageError } from '../exit.js'
import { readInput } from '../files.js'
import { readJson } from '../inputs.js'
import type { Io } from '../io.js'

export interface RequestFlags {
  readonly method?: string
  readonly header?: readonly string[]
  readonly data?: string
  readonly request?: string
  readonly key?: string
  /** A client of the user's own sends what it likes. */
  readonly client?: string
}

const FILE_FIELDS = ['method', 'headers', 'body', 'idempotencyKey'] as const

function headersOf(lines: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      // Not the line itself: it may hold a secret.
      if (colon < 1) throw new UsageError("--header: expected 'Name: value'")
      const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
      if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
        throw new UsageError(`--header: the value of ${name} has a character that no header can hold`)
      return [name, value]
    }),
  )
}

async function fromFile(name: string, io: Io): Promise<CallPlan> {
  const value = await readJson(name, io)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const unknown = isObject ? Object.keys(value).filter((key) => !(FILE_FIELDS as readonly string[]).includes(key)) : []
  if (!isObject || unknown.length > 0) {
    const received = unknown.length === 0 ? '' : `, received ${unknown.join(', ')}`
    throw new UsageError(`${name}: expected an object with ${FILE_FIELDS.join(', ')}${received}`)
  }
  const { method, headers = {} } = value as Readonly<Record<string, unknown>>
  if (method !== undefined && typeof method !== 'string') throw new UsageError(`${name}: method: expected a text such as "POST"`)
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new UsageError(`${name}: headers: expected an object of names and texts`)
  return value as CallPlan
}

/** JSON is sent as JSON; anything else as the text it is. '@file' is the content of a file. */
async function bodyOf(data: string, io: Io): Promise<JsonValue> {
  const text = data.startsWith('@') ? await readInput(data.slice(1), io) : data
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'object' && value !== null ? value : text
  } catch {
    return text
  }
}

/** The base URL, which has to be an origin, and the call: GET, or POST as soon as there is a body. */
export async function requestOf(target: string, flags: RequestFlags, io: Io): Promise<{ baseURL: string; call: CallPlan }> {
  const url = URL.canParse(target) ? new URL(target) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`probe <url>: expected an http or https URL such as http://127.0.0.1:8787/v1`)
  const file: CallPlan = flags.request === undefined ? {} : await fromFile(flags.request, io)
  const body = flags.data === undefined ? file.body : await bodyOf(flags.data, io)
  const method = flags.method ?? file.method ?? (body === undefined ? 'GET' : 'POST')
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(method)) throw new UsageError(`--method: expected an HTTP method, received '${method}'`)
  if (body !== undefined && flags.client === undefined && /^(GET|HEAD)$/i.test(method))
    throw new UsageError(
      `--method: the built-in client sends no body with ${method.toUpperCase()}: give another method, or a --client`,
    )
  const userInfo = url.username === '' && url.password === '' ? '' : `${url.username}:${url.password}@`
  return {
    baseURL: `${url.protocol}//${userInfo}${url.host}`,
    call: {
      ...file,
      method: method.toUpperCase(),
      path: url.pathname + url.search,
      ...(body === undefined ? {} : { body }),
      headers: { ...file.headers, ...headersOf(flags.header) },
      idempotencyKey: flags.key ?? file.idempotencyKey ?? 'auto',
    },
  }
}
