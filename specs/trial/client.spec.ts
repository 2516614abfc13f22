import axios from 'axios'
import { describe, expect, test } from 'vitest'
import { ClientSetupError, defineClient, toClient } from '../../src/trial/client.js'
import type { CallFunction, ClientInput } from '../../src/trial/model.js'

class Sdk {}

describe('what is no client is refused by name', () => {
  test.each([
    ['a string', 'http://localhost', "received 'http://localhost'"],
    ['nothing', undefined, 'received undefined'],
    ['an object', { get: () => 1 }, 'received an object with keys get'],
    ['a class', Sdk, 'Sdk is a class: make an instance in create'],
    ['an axios instance', axios.create(), "use defineClient('axios', ({ url, method, headers, body, signal }) => axios.request("],
  ])('%s', (_, input, message) => {
    expect(() => toClient(input as ClientInput)).toThrow(ClientSetupError)
    expect(() => toClient(input as ClientInput)).toThrow(message)
  })
})

describe('defineClient names what is wrong with its arguments', () => {
  const call: CallFunction = () => 1
  test.each<[string, () => unknown, string]>([
    ['an empty name', () => defineClient(' ', call), "expected a name, received ' '"],
    [
      'no function',
      () => defineClient('x', 7 as never),
      "defineClient('x', ...): expected a function (call) => ..., or an object { create, call, dispose? } of functions, received 7",
    ],
    ['create alone', () => defineClient('x', { create: () => 1 } as never), 'received an object with keys create'],
    ['a class', () => defineClient('x', Sdk as never), 'x is a class'],
    [
      'an unknown option',
      () => defineClient('x', call, { orgin: 'https://a.example' } as never),
      'options).orgin: unknown option, allowed are origin, repeatable, streaming, parses',
    ],
    [
      'an origin with a path',
      () => defineClient('x', call, { origin: 'https://a.example/v1' }),
      "expected scheme and host like 'https://api.example.com', received 'https://a.example/v1'",
    ],
    [
      'a flag that is none',
      () => defineClient('x', call, { repeatable: 'yes' as never }),
      "repeatable: expected true or false, received 'yes'",
    ],
    ['another parser', () => defineClient('x', call, { parses: 'xml' as never }), "parses: expected 'json', received 'xml'"],
  ])('%s', (_, act, message) => {
    expect(act).toThrow(ClientSetupError)
    expect(act).toThrow(message)
  })
})

test('a bare function is a fetch-style client with its own name', () => {
  async function orders(url: string, init: RequestInit) {
    return fetch(url, init)
  }
  expect(toClient(orders)).toMatchObject({ name: 'orders', form: 'fetch' })
  expect(toClient((url: string) => fetch(url))).toMatchObject({ name: 'client' })
})

test('what defineClient returns passes through', () => {
  const client = defineClient('orders', () => 1, { repeatable: true })
  expect(toClient(client)).toBe(client)
  expect(client).toMatchObject({ name: 'orders', form: 'call', options: { repeatable: true } })
})
