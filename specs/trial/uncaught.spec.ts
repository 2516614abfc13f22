import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { runTrial } from '../../src/trial/run-trial.js'

const listeners = () => [process.listeners('uncaughtException').length, process.listeners('unhandledRejection').length]

test('an error event that nobody listens to is in the record and does not end the process', async () => {
  const before = listeners()
  const careless = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    new Readable({ read: () => undefined }).destroy(new Error('nobody listens'))
    return response
  }
  const { leftovers, outcome } = await runTrial(careless, [200])
  expect(leftovers.unhandledRejections).toMatchObject([{ message: 'nobody listens' }])
  expect(outcome.kind).toBe('resolved')
  expect(listeners()).toEqual(before)
})

test('a timer callback that throws is in the record too', async () => {
  const careless = async (url: string, init: RequestInit) => {
    setTimeout(() => {
      throw new Error('too late')
    }, 5_000)
    return fetch(url, init)
  }
  const { leftovers } = await runTrial(careless, [200])
  expect(leftovers.unhandledRejections).toMatchObject([{ message: 'too late' }])
})
