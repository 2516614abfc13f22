import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoint, json, type Script } from '../probe/support.js'
import { addressOf, folder, run, start } from './support.js'

/** Three attempts of 80 ms each; waits as told, else 30 ms; gives up when its budget is spent. */
const CLIENT = `
export const client = async (url, init) => {
  const startedAt = Date.now()
  for (let n = 1; ; n++) {
    let hintMs = 0
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any([init.signal, AbortSignal.timeout(80)]) })
      if (response.status < 429) return response
      await response.text()
      hintMs = Number(response.headers.get('retry-after') ?? 0) * 1000
    } catch (error) {
      if (init.signal.aborted) throw error
    }
    if (n === 3) throw new Error(url.includes('down') ? 'deadline: the budget is spent' : 'gave up')
    await new Promise((resolve) => setTimeout(resolve, Math.max(30, hintMs)))
  }
}
`

const known = new Set<string>()

const KINDS: readonly (readonly [name: string, row: string, script: Script])[] = [
  ['fine', 'untested-path', (_request, response) => json(response, 200, {})],
  [
    'limited',
    'above-rate',
    (_request, response, nth) => (nth % 2 === 1 ? json(response, 429, {}, { 'retry-after': '1' }) : json(response, 200, {})),
  ],
  ['slow', 'timeout-below-latency', () => {}],
  [
    'forgetful',
    'dedup-answers',
    (request, response) => {
      const key = String(request.headers['idempotency-key'])
      if (known.has(key)) json(response, 200, { dedup: true })
      else request.socket.resetAndDestroy()
      known.add(key)
    },
  ],
  ['down', 'deadline-met', (_request, response) => json(response, 503, {})],
]

test.each(KINDS)(
  'an endpoint that is %s: the row %s, and its saved schedule leads to the same one',
  async (name, row, script) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'client.mjs'), CLIENT)
    const rowsAt = async (url: string, ...more: string[]) => {
      const argv = ['probe', `${url}/${name}`, '-X', 'POST', '-d', '{}', '--client', 'client.mjs', '--no-out', '--json', ...more]
      const { out, err } = await run(argv, { cwd })
      expect(err.replace(/^ {2}the endpoint asked.*$/gm, '').trim()).toBe('')
      return (JSON.parse(out) as { decisions: { id: string }[] }).decisions.map(({ id }) => id)
    }
    await using real = await endpoint(script)
    const seen = await rowsAt(real.url, '-n', '2', '--save-schedule', 'seen.json')
    expect(seen).toEqual([row])
    const serving = start(['serve', 'seen.json', '-p', '0'], { cwd })
    const again = await rowsAt(await addressOf(serving), '-n', '1')
    serving.interrupt()
    expect([again, await serving.exit]).toEqual([seen, 0])
  },
)
