import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { inVirtualTime, listeningServer } from './support.js'

const server = await listeningServer()

test('undici used before the clock was loaded times out in virtual time; a Date.now captured before it stays real', async () => {
  const script = fileURLToPath(new URL('fixtures/loaded-late.mts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script])
  expect(JSON.parse(stdout)).toEqual({
    outcome: 'UND_ERR_HEADERS_TIMEOUT',
    isCapturedReal: true,
    hasPassedHeadersTimeout: true,
  })
})

test('undici at work in real time while a run begins times out in virtual time', async () => {
  // A request that hangs from before the run keeps undici's tick going, in real time.
  const held = await listeningServer()
  held.join({ atQuiescence: () => {}, adoptServer: () => {} } as never, () => ({}))
  const controller = new AbortController()
  const hanging = fetch(held.url, { signal: controller.signal }).catch((error: Error) => error.name)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const { error, result } = await inVirtualTime(() => fetch(server.url), { server, script: () => ({ fault: 'hang' }) })
  controller.abort()
  await hanging
  expect((error as Error & { cause: { code: string } }).cause.code).toBe('UND_ERR_HEADERS_TIMEOUT')
  // 300 s in coarse ticks of 499 ms, begun in the first of them.
  expect(result).toEqual({ kind: 'settled', atMs: 602 * 499 })
})
