import type { CallFunction, Client, ClientInput, ClientOptions, StatefulClient } from './model.js'

/** The client under test, or the way it was adapted, cannot be tried: never a verdict. */
export class ClientSetupError extends Error {
  override readonly name = 'ClientSetupError'
}

const OPTION_NAMES = ['origin', 'repeatable', 'streaming', 'parses'] as const

/**
 * Adapts anything that makes HTTP calls so that it can be put on trial.
 *
 * @param name shown in failures and reports
 * @param implementation a function that makes one call, or `{ create, call, dispose }` for a client with state (quota, breaker, pool):
 *   `create` then runs once per trial
 * @param options `origin` for a client with a built-in host, `repeatable` for a POST that may be repeated without a key, `streaming`,
 *   `parses: 'json'`
 * @throws ClientSetupError when the implementation is not callable or an option is unknown
 * @example
 * const orders = defineClient('orders', ({ url, method, headers, body, signal }) =>
 *   fetch(url, { method, headers, body, signal }))
 */
export function defineClient(name: string, implementation: CallFunction, options?: ClientOptions): Client
// Apart from the function form, because a function has a `call` method of its own, which would hide the types of this one's parameters.
export function defineClient<T>(name: string, implementation: StatefulClient<T>, options?: ClientOptions): Client
export function defineClient<T>(
  name: string,
  implementation: CallFunction | StatefulClient<T>,
  options: ClientOptions = {},
): Client {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new ClientSetupError(`defineClient(name, ...): expected a name, received ${show(name)}`)
  }
  checkOptions(name, options)
  if (typeof implementation === 'function') {
    refuseClass(implementation, name)
    return { name, form: 'call', options, implementation: { create: () => undefined, call: (_, call) => implementation(call) } }
  }
  const { create, call, dispose } = (implementation ?? {}) as Partial<StatefulClient<T>>
  if (typeof create !== 'function' || typeof call !== 'function' || (dispose !== undefined && typeof dispose !== 'function')) {
    throw new ClientSetupError(
      `defineClient('${name}', ...): expected a function (call) => ..., or an object { create, call, dispose? } of functions, received ${show(implementation)}`,
    )
  }
  return { name, form: 'stateful', options, implementation: implementation as StatefulClient }
}

/**
 * Turns what a user hands to a trial or a matcher into a `Client`: a bare function is a fetch-style client.
 *
 * @param input a function `(url, init) => Response`, or the result of `defineClient`
 * @throws ClientSetupError when it is neither, or an axios instance (whose second argument has no `body`)
 * @example
 * toClient(fetch).form // 'fetch'
 */
export function toClient(input: ClientInput): Client {
  if (isClient(input)) return input
  if (typeof input !== 'function') {
    throw new ClientSetupError(
      `expected a client: a fetch-style function (url, init) => Response, or defineClient(name, ({ url, method, headers, body, signal }) => ...), received ${show(input)}`,
    )
  }
  refuseClass(input, input.name)
  refuseAxios(input)
  const send = input
  return {
    name: input.name === '' || input.name === 'bound fetch' ? 'client' : input.name,
    form: 'fetch',
    options: {},
    implementation: { create: () => undefined, call: (_, call) => send(call.url, fetchInit(call)) },
  }
}

export function isClient(value: unknown): value is Client {
  const form = (value as Client | null)?.form
  return typeof value === 'object' && (form === 'fetch' || form === 'call' || form === 'stateful')
}

/** Getters, so that the harness sees whether the client ever looked at the signal. */
function fetchInit(call: Parameters<CallFunction>[0]): RequestInit & { body?: string } {
  return {
    method: call.method,
    headers: { ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    get signal() {
      return call.signal
    },
  }
}

function refuseClass(value: unknown, name: string): void {
  if (/^class\b/.test(Function.prototype.toString.call(value))) {
    throw new ClientSetupError(
      `${name || 'the client'} is a class: make an instance in create, as in defineClient('${name || 'client'}', { create: ({ baseURL }) => new ${name || 'Client'}(baseURL), call: (instance, call) => ... })`,
    )
  }
}

function refuseAxios(value: unknown): void {
  const { interceptors, defaults } = value as { interceptors?: { request?: unknown }; defaults?: unknown }
  if (interceptors?.request === undefined || defaults === undefined) return
  throw new ClientSetupError(
    "an axios instance is not a fetch-style function (it takes `data`, not `body`): use defineClient('axios', ({ url, method, headers, body, signal }) => axios.request({ url, method, headers, data: body, signal }))",
  )
}

function checkOptions(name: string, options: ClientOptions): void {
  const at = `defineClient('${name}', ..., options)`
  if (typeof options !== 'object' || options === null)
    throw new ClientSetupError(`${at}: expected an object, received ${show(options)}`)
  for (const key of Object.keys(options)) {
    if (!(OPTION_NAMES as readonly string[]).includes(key)) {
      throw new ClientSetupError(`${at}.${key}: unknown option, allowed are ${OPTION_NAMES.join(', ')}`)
    }
  }
  for (const key of ['repeatable', 'streaming'] as const) {
    const value = options[key]
    if (value !== undefined && typeof value !== 'boolean')
      throw new ClientSetupError(`${at}.${key}: expected true or false, received ${show(value)}`)
  }
  if (options.parses !== undefined && options.parses !== 'json') {
    throw new ClientSetupError(`${at}.parses: expected 'json', received ${show(options.parses)}`)
  }
  if (options.origin !== undefined && !isOrigin(options.origin)) {
    throw new ClientSetupError(
      `${at}.origin: expected scheme and host like 'https://api.example.com', received ${show(options.origin)}`,
    )
  }
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const url = new URL(value)
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === value
}

/** A short, safe picture of a bad value for a message. */
export function show(value: unknown): string {
  if (typeof value === 'string') return value.length > 60 ? `'${value.slice(0, 60)}…'` : `'${value}'`
  if (typeof value === 'function') return value.name ? `function ${value.name}` : 'a function'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  const keys = Object.keys(value)
  return `an object with ${keys.length === 0 ? 'no keys' : `keys ${keys.slice(0, 6).join(', ')}`}`
}
