import { defineClient } from 'retrial'
import type { Call, Client } from '../../src/trial/model.js'

// Clients with the fault of one report that no client of fixtures/clients/wrong has, and the right form of the same few lines.

const send = ({ url, method, headers, body, signal }: Call) => fetch(url, { method, headers, body, signal, redirect: 'manual' })

const read = async (call: Call): Promise<Response> => {
  const response = await send(call)
  const body = await response.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers })
}

const sleep = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs))

/** Tries until `count` attempts are made, whatever comes back. */
export const counting = (count: number): Client =>
  defineClient(`counts to ${count}`, async (call) => {
    for (let attempt = 1; ; attempt++) {
      const response = await read(call)
      if (response.ok || attempt >= count) return response
      await sleep(100)
    }
  })

/** A01: the number that means "do not retry" is also the number of seconds. */
export const zeroIsNever = defineClient('zero is never', async (call) => {
  const response = await read(call)
  const seconds = Number(response.headers.get('retry-after'))
  if (response.ok || seconds === 0) return response
  await sleep(seconds * 1_000)
  return read(call)
})

/** Waits by the first of these headers that an answer carries. */
export const obeying = (...names: readonly string[]): Client =>
  defineClient(`obeys ${names.join(', ')}`, async (call) => {
    const response = await read(call)
    if (response.ok) return response
    const name = names.find((candidate) => response.headers.has(candidate)) ?? ''
    await sleep(Number(response.headers.get(name)) * (name.endsWith('-ms') ? 1 : 1_000))
    return read(call)
  })

/** A31: the special case for a closed connection comes before the count. */
export const onceMoreAfterClose = defineClient('once more after close', (call) => read(call).catch(() => read(call)))
export const onlyOnce = defineClient('only once', read)

/** A25: asks again for what clashed with another writer. */
export const retriesConflicts = defineClient('retries conflicts', async (call) => {
  for (let attempt = 1; ; attempt++) {
    const response = await read(call)
    if (response.status !== 409 || attempt === 3) return response
    await sleep(100)
  }
})

/** A37: nought retries are taken for "not set", and the number of retries for the number of attempts. */
export const unsetIsFour = (retries: number): Client => counting(retries === 0 ? 5 : retries)
