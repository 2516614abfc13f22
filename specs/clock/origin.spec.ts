import { describe, expect, test } from 'vitest'
import { captureCreation, describeOrigin, withoutDirectory } from '../../src/clock/origin.js'

const OWN = new URL('../../src/clock/hooks/timeout.ts', import.meta.url)

const stackOf = (...frames: string[]) => ({ stack: `Error\n${frames.map((frame) => `    at ${frame}`).join('\n')}` })

describe('the origin of a timer', () => {
  test('is the function that made it and its place', () => {
    const creation = (function retryLater() {
      return captureCreation()
    })()
    expect(describeOrigin(creation)).toEqual({
      byUserCode: true,
      origin: expect.stringMatching(/^retryLater \(origin\.spec\.ts:\d+:\d+\)$/),
    })
  })

  test.each([
    ['setTimeout', ['new Timeout (node:internal/timers:200:5)', 'setTimeout (node:timers:142:19)']],
    [
      'AbortSignal.timeout',
      ['new Timeout (node:internal/timers:200:5)', 'AbortSignal.timeout (node:internal/abort_controller:140:9)'],
    ],
    ['timers/promises', ['setTimeout (node:timers/promises:40:9)']],
  ])('looks through %s and this package', (_, frames) => {
    const creation = stackOf(
      `TimerState.set (${OWN.pathname}:1:1)`,
      ...frames,
      `recorded (${OWN}:2:2)`,
      'async later (file:///app/client.ts:12:5)',
    )
    expect(describeOrigin(creation)).toEqual({ byUserCode: true, origin: 'later (client.ts:12:5)' })
  })

  test('is told by its path within a dependency', () => {
    const creation = stackOf('/app/node_modules/p-retry/index.js:5:3', 'call (/app/client.ts:1:1)')
    expect(describeOrigin(creation)).toEqual({ byUserCode: true, origin: 'anonymous (p-retry/index.js:5:3)' })
  })

  test.each([
    ['undici in Node', 'new FastTimer (node:internal/deps/undici/undici:1:1)'],
    ['the http agent', 'Agent.installListeners (node:_http_agent:2:2)'],
    ['npm undici’s coarse timers', 'refreshTimeout (/app/node_modules/undici/lib/util/timers.js:3:3)'],
  ])('of %s is not user code, though named by the user’s call', (_, frame) => {
    const { byUserCode } = describeOrigin(stackOf('setTimeout (node:timers:1:1)', frame, 'call (/app/client.ts:1:1)'))
    expect(byUserCode).toBe(false)
  })

  test('of undici’s RetryAgent is user code: its backoff can be left behind', () => {
    const { byUserCode } = describeOrigin(stackOf('retry (/app/node_modules/undici/lib/handler/retry-handler.js:3:3)'))
    expect(byUserCode).toBe(true)
  })

  test.each([
    ['no stack', null],
    ['a stack that a tool has made into something else', { stack: [] as unknown as string }],
    ['nothing but this package', stackOf(`x (${OWN.pathname}:1:1)`)],
  ])('is unknown with %s', (_, creation) => {
    expect(describeOrigin(creation)).toEqual({ byUserCode: false, origin: 'unknown' })
  })
})

test.each([
  ['/home/me/app/client.ts', 'client.ts'],
  ['C:\\app\\client.ts', 'client.ts'],
  ['/home/me/app/node_modules/openai/client.mjs', 'openai/client.mjs'],
  ['retry (/home/me/my app/client.ts:3:7)', 'retry (client.ts:3:7)'],
  ['retry (file:///home/me/app/client.ts:3:7)', 'retry (client.ts:3:7)'],
  ['refreshTimeout (node:internal/deps/undici/undici:3:7)', 'refreshTimeout (node:internal/deps/undici/undici:3:7)'],
])('%s is shown as %s', (place, shown) => {
  expect(withoutDirectory(place)).toBe(shown)
})
