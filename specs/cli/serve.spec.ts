import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTraces } from '../../src/probe/index.js'
import { addressOf, ending, folder, has, launch, run, start } from './support.js'

const post = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'POST', body: '{"a":1}', headers })).status

test('it prints its address and each attempt as it comes, and ends at Ctrl-C', async () => {
  const serving = start(['serve', '[{"status":429,"retryAfter":1},"reset",200]', '-p', '0'])
  const url = await addressOf(serving)
  expect(await post(url, { 'idempotency-key': 'k1' })).toBe(429)
  expect(await serving.line(/#1 ← 429/)).toMatch(/#1 ← 429 +Retry-After: 1$/)
  await expect(post(url)).rejects.toThrow()
  serving.interrupt()
  expect(await serving.exit).toBe(0)
  const lines = serving.out.filter((line) => line.includes('#')).map((line) => line.replace(/^ *[\d ]+ ms +/, ''))
  expect(lines.filter((line) => !line.includes('end of body'))).toEqual([
    '#1 → POST /                 key k1',
    '#1 ← 429                    Retry-After: 1',
    '#2 → POST /',
    '#2 ✗ reset',
  ])
  expect(serving.out.at(-1)).toBe('ended (interrupted): 1 run, 2 requests')
})

test('it ends after the calls that were asked for, each of which meets the whole schedule', async () => {
  const serving = start(['serve', '[503,200]', '-p', '0', '--calls', '2', '--idle', '50', '--json'])
  const { url } = JSON.parse(await serving.line(/"listening"/)) as { url: string }
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push(await post(url))
  expect(statuses).toEqual([503, 200, 503, 200])
  expect(await serving.exit).toBe(0)
  const events = serving.out.map((line) => JSON.parse(line) as { event: string; reason?: string })
  expect(events.at(-1)).toMatchObject({ event: 'end', reason: 'calls' })
  expect(readTraces(serving.out.join('\n')).map((trial) => trial.statuses)).toEqual([
    [503, 200],
    [503, 200],
  ])
})

test('it ends when nothing comes any more', async () => {
  const serving = start(['serve', '-p', '0', '--idle', '30'])
  await addressOf(serving)
  expect(await serving.exit).toBe(0)
  expect(serving.out.at(-1)).toBe('ended (idle): 0 runs, 0 requests')
})

test('with a contract it judges whoever called: upheld, broken, inconclusive', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'contract.json'), '{"maxAttempts":3}')
  const judged = async (schedule: string, requests: number) => {
    const serving = start(['serve', schedule, '-p', '0', '--contract', 'contract.json'], { cwd })
    const url = await addressOf(serving)
    for (let n = 0; n < requests; n++) await post(url, { 'idempotency-key': 'k' })
    serving.interrupt()
    return { code: await serving.exit, text: serving.out.join('\n') + serving.err.join('\n') }
  }
  const upheld = await judged('[503,200]', 2)
  expect([upheld.code, upheld.text.match(/^✓ unsafe-replay/m)?.length]).toEqual([0, 1])
  const broken = await judged('[404]', 2)
  expect(broken.code).toBe(1)
  expect(broken.text).toMatch(/permanence: attempt 2 repeated the POST .* after a 404/)
  expect(broken.text).toContain('replay    [404]')
  const nobody = await judged('[503]', 0)
  expect(nobody.code).toBe(3)
  expect(nobody.text).toContain('inconclusive: no request came')
})

test('runs are kept apart by a header, by a path, and by asking', async () => {
  const serving = start(['serve', '[500,200]', '-p', '0', '--reset-on', 'X-Run', '--reset-on', '/again', '--json'])
  const { url } = JSON.parse(await serving.line(/"listening"/)) as { url: string }
  await post(url, { 'x-run': 'a' })
  await post(url, { 'x-run': 'b' })
  await post(`${url}/again`)
  await post(url, { 'x-run': 'b' })
  await fetch(`${url}/~retrial/reset`)
  const trace = await (await fetch(`${url}/~retrial/trace`)).json()
  expect(trace).toMatchObject({ format: 'retrial-trace', attempts: [] })
  await post(url)
  serving.interrupt()
  await serving.exit
  expect(readTraces(serving.out.join('\n')).map((trial) => trial.statuses)).toEqual([[500], [500], [500], [500]])
})

test('no secret of a request is printed, saved or told', async () => {
  const cwd = folder()
  const outputs: string[] = []
  for (const json of [[], ['--json']]) {
    const answers = '[{"status":401,"headers":{"set-cookie":"sid=planted-5"},"body":{"access_token":"planted-6"}},200]'
    const serving = start(['serve', answers, '-p', '0', '-o', 'trace.json', '--preset', 'strict', ...json], { cwd })
    const url =
      json.length === 0 ? await addressOf(serving) : (JSON.parse(await serving.line(/"listening"/)) as { url: string }).url
    const request = {
      method: 'POST',
      headers: { authorization: 'Bearer planted-1', cookie: 'a=planted-2' },
      body: '{"password":"planted-3"}',
    }
    await fetch(`${url}/v1?api_key=planted-4`, request)
    await fetch(`${url}/v1?api_key=planted-4`, request)
    outputs.push(await (await fetch(`${url}/~retrial/trace`)).text())
    serving.interrupt()
    await serving.exit
    outputs.push(...serving.out, ...serving.err, readFileSync(join(cwd, 'trace.json'), 'utf8'))
  }
  const decoded = outputs.map(
    (text) => text + [...text.matchAll(/[A-Za-z0-9+/=]{12,}/g)].map(([found]) => Buffer.from(found, 'base64').toString()).join(),
  )
  expect(decoded.join()).toContain('[redacted-')
  expect(decoded.join()).not.toContain('planted')
})

test('a client in another language: curl', async ({ skip }) => {
  if (!(await has('curl'))) skip('there is no curl')
  const serving = start(['serve', '[{"status":503,"retryAfter":0},200]', '-p', '0', '--calls', '1', '--preset', 'strict'])
  const url = await addressOf(serving)
  const curl = spawn('curl', [
    '-s',
    '-o',
    join(folder(), 'answer'),
    '-w',
    '%{http_code}',
    '--retry',
    '2',
    '--retry-delay',
    '1',
    '--noproxy',
    '*',
    '-d',
    '{}',
    '-H',
    'Idempotency-Key: c1',
    url,
  ])
  expect(await ending(curl)).toMatchObject({ code: 0, out: expect.stringMatching(/200$/) })
  expect(await serving.exit).toBe(0)
  expect(serving.out.join('\n')).toContain('ended (calls): 1 run, 2 requests')
})

const PYTHON = `
import sys, time, urllib.request, urllib.error
def call(url):
    for attempt in range(4):
        try:
            request = urllib.request.Request(url, data=b'{}', headers={'Idempotency-Key': 'p1'}, method='POST')
            return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=5).status
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503): raise
            time.sleep(float(error.headers.get('Retry-After') or 0.05))
print(call(sys.argv[1]))
`

test('a client in another language: the standard library of Python', async ({ skip }) => {
  if (!(await has('python3'))) skip('there is no python3')
  const serving = start(['serve', '[{"status":429,"retryAfter":1},503,200]', '-p', '0', '--calls', '1', '--preset', 'strict'])
  const url = await addressOf(serving)
  expect(await ending(spawn('python3', ['-c', PYTHON, url]))).toMatchObject({ code: 0, out: '200\n' })
  expect(await serving.exit).toBe(0)
  expect(serving.out.join('\n')).toMatch(/✓ hint +attempt 2 waited out the 1 s that a 429 asked for/)
})

test('a schedule from a file, a module, or standard input', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'schedule.json'), '{"title":"t","steps":[{"status":429,"retry_after":1},200]}')
  writeFileSync(join(cwd, 'schedule.ts'), 'const status: number = 418\nexport const schedule = [status]\n')
  writeFileSync(join(cwd, 'empty.mjs'), 'export const other = 1\n')
  const played = async (name: string, stdin = '') => {
    const serving = start(['serve', name, '-p', '0', '--idle', '1'], { cwd, stdin })
    await serving.exit
    return serving.err[0]
  }
  expect(await played('schedule.json')).toBe('plays [{"status":429,"retryAfter":1},200]; Ctrl-C ends it')
  expect(await played('schedule.ts')).toBe('plays [418]; Ctrl-C ends it')
  expect(await played('-', '["reset"]')).toBe('plays ["reset"]; Ctrl-C ends it')
  expect(await run(['serve', 'empty.mjs', '-p', '0'], { cwd })).toEqual({
    code: 2,
    out: '',
    err: 'error: empty.mjs: expected an export named schedule, or a default one; it exports other',
  })
})

test('as a process it is ended by SIGINT, and tells by its exit code what it saw', async () => {
  const child = launch(['serve', '[404]', '-p', '0', '--preset', 'strict'], folder())
  const ended = ending(child)
  const url = await new Promise<string>((resolve) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      const found = /listening on (\S+)/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  await post(url)
  await post(url)
  child.kill('SIGINT')
  const { code, out, signal } = await ended
  expect([code, signal]).toEqual([1, null])
  expect(out).toContain('ended (interrupted): 1 run, 2 requests')
  // No terminal watches: no colours, no lines that overwrite one another.
  expect(out).not.toContain('\u001b')
})
