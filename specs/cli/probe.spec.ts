import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTraces } from '../../src/probe/index.js'
import { endpoint, json } from '../probe/support.js'
import { ending, folder, launch, run, start } from './support.js'

const CLIENT = `
export const client = async (url: string, init: RequestInit): Promise<Response> => {
  for (let n = 1; ; n++) {
    const response = await fetch(url, init)
    if (response.ok || n === 3) return response
    await response.text()
  }
}
`

test('runs, distribution, decision table, report and schedule of a flaky https endpoint', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'client.ts'), CLIENT)
  writeFileSync(join(cwd, 'ca.pem'), (await import('../probe/support.js')).CERTIFICATE)
  await using flaky = await endpoint((_request, response, nth) => json(response, nth % 3 === 0 ? 200 : 503, {}), { https: true })
  const argv = [
    'probe',
    `${flaky.url}/v1/chat`,
    '--client',
    'client.ts',
    '-n',
    '2',
    '-d',
    '{"prompt":"hi"}',
    '--ca',
    'ca.pem',
    '--save-schedule',
    'seen.json',
  ]
  const { code, out, err } = await run(argv, { cwd })
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}run {3}1 +\d+ ms {2}503, 503, 200$/m)
  expect(out).toContain('2 runs of 2, 6 requests, 2 succeeded')
  expect(out).toContain('attempts  3 in 2 runs')
  expect(out).toContain('answers   503 ×4, 200 ×2')
  expect(out).toContain('hints     no answer said when to come back')
  expect(out).toContain('deadline  10 s, never breached')
  expect(err).toContain('saved retrial-probe.json; retrial show retrial-probe.json')
  expect(flaky.seen[0]).toMatchObject({ url: '/v1/chat', body: '{"prompt":"hi"}' })
  expect(readTraces(readFileSync(join(cwd, 'retrial-probe.json'), 'utf8'))).toHaveLength(2)
  expect(JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8'))).toMatchObject({
    steps: [{ status: 503 }, { status: 503 }, { status: 200 }],
  })

  const shown = await run(['show', 'retrial-probe.json', '--run', '2'], { cwd })
  expect(shown.out).toMatch(/#1 → POST \/v1\/chat +key /)
  const served = start(['serve', 'seen.json', '-p', '0', '--idle', '1'], { cwd })
  expect(await served.exit).toBe(0)
})

test('what the client does wrong ends with 1, and is told as JSON', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'client.ts'), CLIENT)
  await using gone = await endpoint((_request, response) => json(response, 404, {}))
  const { code, out } = await run(['probe', gone.url, '--client', 'client.ts', '-n', '2', '--no-out', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    format: 'retrial-probe',
    requests: 6,
    decisions: [{ id: 'permanent-retried', kind: 'broken', count: 2, of: 2 }],
  })
  expect(existsSync(join(cwd, 'retrial-probe.json'))).toBe(false)
})

test('method, headers and body come from flags, or from a file', async () => {
  const cwd = folder()
  await using echo = await endpoint((_request, response) => json(response, 200, {}))
  writeFileSync(join(cwd, 'body.txt'), 'plain text')
  writeFileSync(join(cwd, 'request.json'), '{"method":"PUT","headers":{"X-From":"file"},"body":{"a":1}}')
  writeFileSync(join(cwd, 'wrong.json'), '{"verb":"PUT"}')
  const once = (...argv: string[]) => run(['probe', `${echo.url}/p?q=1`, '-n', '1', '--no-out', ...argv], { cwd })
  await once('-H', 'X-From: flag')
  await once('-d', '@body.txt', '--key', 'mine')
  await once('--request', 'request.json')
  expect(echo.seen.map(({ url, body, headers }) => [url, body, headers['x-from'], headers['idempotency-key']])).toEqual([
    ['/p?q=1', '', 'flag', undefined],
    ['/p?q=1', 'plain text', undefined, 'mine'],
    ['/p?q=1', '{"a":1}', 'file', undefined],
  ])
  expect((await once('--request', 'wrong.json')).err).toBe(
    'error: wrong.json: expected an object with method, headers, body, idempotencyKey, received verb',
  )
})

test('an interrupted probe says what it has seen, and that it is not all', async () => {
  const cwd = folder()
  let interrupt = () => {}
  await using slow = await endpoint((_request, response, nth) => (nth < 3 ? json(response, 200, {}) : interrupt()))
  const probing = start(['probe', slow.url, '-n', '9'], { cwd })
  interrupt = probing.interrupt
  expect(await probing.exit).toBe(3)
  expect(probing.out.join('\n')).toContain('2 runs of 9, 2 requests, 2 succeeded')
  expect(probing.out.join('\n')).toContain('stopped   it was interrupted')
  expect(readTraces(readFileSync(join(cwd, 'retrial-probe.json'), 'utf8'))).toHaveLength(2)
})

test('no secret of the flags, the URL or the answers is printed or saved', async () => {
  const cwd = folder()
  await using echo = await endpoint((request, response, nth, body) =>
    json(response, nth === 1 ? 500 : 200, { said: `${request.headers.authorization} ${request.url} ${body}` }),
  )
  const url = `${echo.url.replace('//', '//me:planted-0@')}/v1?access_token=planted-1`
  const argv = [
    '-n',
    '1',
    '-H',
    'X-Api-Key: planted-2',
    '-d',
    '{"client_secret":"planted-3"}',
    '--save-schedule',
    's.json',
    '--redact',
    'team',
    '-H',
    'Team: planted-4',
  ]
  const text = await run(['probe', url, ...argv], { cwd })
  const asJson = await run(['probe', url, ...argv, '--json'], { cwd })
  const shown = await run(['show', 'retrial-probe.json'], { cwd })
  const diagnosed = await run(['diagnose', 'retrial-probe.json'], { cwd })
  expect(JSON.stringify(echo.seen.map(({ headers }) => headers))).toContain(Buffer.from('me:planted-0').toString('base64'))
  const files = readdirSync(cwd).map((name) => readFileSync(join(cwd, name), 'utf8'))
  const all = [text, asJson, shown, diagnosed].flatMap(({ out, err }) => [out, err]).concat(files)
  const decoded = all.map(
    (one) => one + [...one.matchAll(/[A-Za-z0-9+/=]{12,}/g)].map(([found]) => Buffer.from(found, 'base64').toString()).join(),
  )
  expect(text.code).toBe(0)
  expect(decoded.join()).not.toContain('planted')
})

test('killed at any moment, the report is whole or not there', async () => {
  const states: string[] = []
  for (const after of [1, 2, 7]) {
    const cwd = folder()
    let kill = () => {}
    await using well = await endpoint((_request, response, nth) => {
      json(response, 200, { padding: 'x'.repeat(200_000) })
      if (nth === after) kill()
    })
    const child = launch(['probe', well.url, '-n', '50'], cwd)
    kill = () => child.kill('SIGKILL')
    expect((await ending(child)).signal).toBe('SIGKILL')
    const path = join(cwd, 'retrial-probe.json')
    if (existsSync(path)) expect(readTraces(readFileSync(path, 'utf8')).length).toBeGreaterThanOrEqual(1)
    states.push(existsSync(path) ? 'whole' : 'not there')
  }
  // After seven requests six runs are over, and the report has been written at least once.
  expect(states[2]).toBe('whole')
})
