import { expect, test } from 'vitest'
import { probe } from '../../src/probe/index.js'
import { CERTIFICATE, endpoint, json, retrying } from './support.js'

test('each run is a trial of what went over the wire', async () => {
  await using flaky = await endpoint((_request, response, nth) => json(response, nth % 2 === 1 ? 503 : 200, { nth }))
  const report = await probe(retrying(3), { baseURL: flaky.url, runs: 3, call: { path: '/v1/chat' } })
  expect(report.trials.map(({ statuses }) => statuses)).toEqual([
    [503, 200],
    [503, 200],
    [503, 200],
  ])
  expect(report).toMatchObject({
    runs: 3,
    requests: 6,
    succeeded: 3,
    attempts: { '2': 3 },
    answers: { '200': 3, '503': 3 },
    hints: { answers: 0, runs: 0, longestMs: null },
    deadlineBreaches: 0,
    stopped: null,
  })
  expect(flaky.seen.map(({ url }) => url)).toEqual(Array.from({ length: 6 }, () => '/v1/chat'))
  expect(new Set(flaky.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
  expect(flaky.seen.map(({ headers }) => headers.host)).toEqual(flaky.seen.map(() => new URL(flaky.url).host))
})

test('an https endpoint is reached with its own certificate, and refused without', async () => {
  await using secure = await endpoint((_request, response) => json(response, 200, {}), { https: true })
  const report = await probe(fetch, { baseURL: secure.url, runs: 2, ca: CERTIFICATE })
  expect(report.trials.map(({ statuses }) => statuses)).toEqual([[200], [200]])
  const trusting = await probe(fetch, { baseURL: secure.url, runs: 1, insecure: true })
  expect(trusting.succeeded).toBe(1)
  await expect(probe(retrying(9), { baseURL: secure.url, runs: 1 })).rejects.toThrow(
    /cannot be reached \(.*SIGNED.*\): its certificate is not trusted: give the certificate with `ca`/,
  )
})

test('what the endpoint does to its connection, the client meets', async () => {
  await using rude = await endpoint((request, response, nth) => {
    if (nth === 1) request.socket.resetAndDestroy()
    else if (nth === 2) request.socket.end()
    else if (nth === 3) request.socket.end('no HTTP at all\r\n\r\n')
    else if (nth === 4) {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => request.socket.destroySoon())
    } else json(response, 200, {})
  })
  const causes: unknown[] = []
  const client = async (url: string, init: RequestInit) => {
    for (;;) {
      try {
        const response = await fetch(url, init)
        await response.clone().text()
        return response
      } catch (error) {
        causes.push(((error as Error).cause as { code: string }).code)
      }
    }
  }
  const { trials } = await probe(client, { baseURL: rude.url, runs: 1, call: { method: 'GET' } })
  expect(trials[0]!.statuses).toEqual(['reset', 'close', 'garbage', 200, 200])
  expect(trials[0]!.attempts.map(({ step }) => step)).toMatchObject([
    { fault: 'reset' },
    { fault: 'close' },
    { fault: 'garbage' },
    { status: 200, truncate: 'length' },
    { status: 200 },
  ])
  expect(trials[0]!.attempts.map(({ answerComplete }) => answerComplete)).toEqual([false, false, false, false, true])
  expect(causes).toEqual(['ECONNRESET', 'UND_ERR_SOCKET', expect.stringMatching(/^HPE_/), 'UND_ERR_SOCKET'])
})

test('a refused endpoint is seen as a refusal', async () => {
  const gone = await endpoint(() => {})
  await gone[Symbol.asyncDispose]()
  const { trials } = await probe(retrying(2), { baseURL: gone.url, runs: 1 })
  expect(trials[0]!.statuses).toEqual(['refuse', 'refuse'])
  expect(trials[0]!.outcome.kind).toBe('rejected')
})

test('bodies stream through: the client has the first part before the endpoint sends the last', async () => {
  let finish = () => {}
  await using slow = await endpoint((_request, response, _nth, body) => {
    response.writeHead(200)
    response.write(body.slice(0, 10))
    finish = () => response.end(body.slice(10))
  })
  const large = 'x'.repeat(300_000)
  const client = async (url: string, init: RequestInit) => {
    const reader = (await fetch(url, init)).body!.getReader()
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return text
      text += new TextDecoder().decode(value)
      // Whoever held the answer back until it was whole would wait here for ever.
      finish()
    }
  }
  const { trials } = await probe(client, { baseURL: slow.url, runs: 1, call: { body: large } })
  const [attempt] = trials[0]!.attempts
  expect(trials[0]!.outcome).toMatchObject({ kind: 'resolved', value: large })
  expect([attempt!.body.length, attempt!.answerBody.length, attempt!.answerComplete]).toEqual([300_000, 300_000, true])
})

test('connections are paired: a kept-alive one is used again, a closed one is closed for the client', async () => {
  const sockets = async (headers: Record<string, string>) => {
    await using server = await endpoint((_request, response) => json(response, 200, {}, headers))
    const fiveTimes = async (url: string, init: RequestInit) => {
      for (let n = 0; n < 4; n++) await (await fetch(url, init)).text()
      return fetch(url, init)
    }
    const { trials } = await probe(fiveTimes, { baseURL: server.url, runs: 1 })
    return trials[0]!.attempts.map(({ socket }) => socket)
  }
  // undici may open a second connection before it knows that the first is free again.
  expect(new Set(await sockets({})).size).toBeLessThan(5)
  expect(await sockets({ connection: 'close' })).toEqual([1, 2, 3, 4, 5])
})

test('the deadline of a call aborts it, and a client that does not listen is cut off', async () => {
  await using silent = await endpoint(() => {})
  const heeding = await probe(fetch, { baseURL: silent.url, runs: 1, deadlineMs: 60 })
  expect(heeding.trials[0]!.attempts[0]!.result).toBe('hang-up')
  expect(heeding.deadlineBreaches).toBe(1)
  const deaf = (url: string, init: RequestInit) => fetch(url, { ...init, signal: null })
  const ignoring = await probe(deaf, { baseURL: silent.url, runs: 1, deadlineMs: 60 })
  expect(ignoring.trials[0]!.outcome.kind).toBe('rejected')
  expect(ignoring.deadlineBreaches).toBe(1)
})

test('Retry-After is obeyed between runs, and a long one ends the probe', async () => {
  const arrivals: number[] = []
  await using limited = await endpoint((_request, response) => {
    arrivals.push(performance.now())
    json(response, 429, {}, { 'retry-after': '1' })
  })
  const pauses: number[] = []
  const report = await probe(fetch, { baseURL: limited.url, runs: 2, onPause: (ms) => pauses.push(ms) })
  // Headers reach the proxy after the endpoint has sent them, so the pause ends at least 1 s after the first arrival.
  expect(arrivals[1]! - arrivals[0]!).toBeGreaterThanOrEqual(1_000)
  expect(pauses).toHaveLength(1)
  expect(report.hints).toEqual({ answers: 2, runs: 2, longestMs: 1_000 })

  const short = await probe(fetch, { baseURL: limited.url, runs: 5, maxPauseMs: 10 })
  expect([short.trials.length, short.stopped?.why]).toEqual([1, 'retry-after'])
})

test('the number of requests has a ceiling, whatever the client does', async () => {
  await using down = await endpoint((_request, response) => json(response, 500, {}))
  const report = await probe(retrying(50, { waitMs: 0 }), { baseURL: down.url, runs: 3, maxRequests: 7 })
  expect(down.seen).toHaveLength(7)
  expect([report.requests, report.stopped?.why]).toEqual([7, 'max-requests'])
})

test('two calls at once at most', async () => {
  await using slow = await endpoint((_request, response) => setTimeout(() => json(response, 200, {}), 20))
  const report = await probe(fetch, { baseURL: slow.url, runs: 4, concurrency: 2 })
  expect(report.trials.map(({ statuses }) => statuses)).toEqual([[200], [200], [200], [200]])
  await expect(probe(fetch, { baseURL: slow.url, concurrency: 3 as 2 })).rejects.toThrow(
    'options.concurrency: expected an integer from 1 to 2, received 3',
  )
})

test('a host that is not loopback needs a yes', async () => {
  await expect(probe(fetch, { baseURL: 'https://api.example.com', runs: 4 })).rejects.toThrow(
    'options.yes: expected true, since https://api.example.com is not this machine: up to 20 real requests are about to be made there',
  )
  await expect(probe(fetch, { baseURL: 'ftp://127.0.0.1' })).rejects.toThrow(
    'baseURL: expected an http or https URL, received ftp:',
  )
})

test('a client that never sends to the endpoint is a set-up error', async () => {
  await using idle = await endpoint(() => {})
  await using elsewhere = await endpoint(() => {})
  const stray = () => fetch(elsewhere.url)
  await expect(probe(stray, { baseURL: idle.url, runs: 1 })).rejects.toThrow(
    /no request reached the proxy.*It tried to connect to 127\.0\.0\.1:\d+, past the recording proxy/,
  )
  expect(elsewhere.seen).toEqual([])
})

test('an interrupted probe reports what it has seen', async () => {
  const controller = new AbortController()
  await using slow = await endpoint((_request, response, nth) => {
    if (nth < 3) json(response, 200, {})
    else controller.abort()
  })
  const report = await probe(fetch, { baseURL: slow.url, runs: 10, signal: controller.signal })
  expect([report.trials.length, report.stopped?.why]).toEqual([2, 'interrupted'])
})

test('a redirect leads back through the proxy', async () => {
  await using moving = await endpoint((request, response) => {
    if (request.url === '/old') response.writeHead(307, { location: `http://${request.headers.host}/new` }).end()
    else json(response, 200, {})
  })
  const { trials } = await probe(fetch, { baseURL: moving.url, runs: 1, call: { method: 'GET', path: '/old' } })
  expect(trials[0]!.attempts.map(({ path, result }) => [path, result])).toEqual([
    ['/old', 307],
    ['/new', 200],
  ])
})

test('without a client the built-in one is used: it waits as told and repeats what is transient', async () => {
  await using flaky = await endpoint((_request, response, nth) =>
    nth === 1 ? json(response, 429, {}, { 'retry-after': '1' }) : json(response, nth === 2 ? 404 : 200, {}),
  )
  const { trials, client } = await probe(null, { baseURL: flaky.url, runs: 1 })
  expect(client).toBe('built-in client')
  expect(trials[0]!.statuses).toEqual([429, 404])
  expect(trials[0]!.gapsMs[0]).toBeGreaterThanOrEqual(999)
})
