import nodeCrypto from 'node:crypto'
import net from 'node:net'
import zlib from 'node:zlib'
import axios from 'axios'
import { describe, expect, test } from 'vitest'
import type { Reply } from './support.js'
import { get, gzip, listeningServer, sleep, valueInVirtualTime } from './support.js'

const server = await listeningServer()

const bigGzip = gzip(Buffer.alloc(2e7, 'abcdefgh'))

/** The error code or name of a client's failure. */
const failure = (reason: unknown): string => {
  const { cause, code, name } = reason as Error & { code?: string; cause?: { code?: string } }
  return cause?.code ?? code ?? name
}

describe('no time passes for bytes on the wire:', () => {
  test('40 compressed answers within a 50 ms timeout each', async () => {
    const script = () => gzip(nodeCrypto.randomBytes(50_000).toString('hex'))
    const seen = await valueInVirtualTime(
      async (clock) => {
        let length = 0
        for (let i = 0; i < 40; i++)
          length += (await (await fetch(server.url, { signal: AbortSignal.timeout(50) })).text()).length
        return [length, clock.nowMs()]
      },
      { server, script },
    )
    expect(seen).toEqual([4_000_000, 0])
  })

  test('brotli and deflate through fetch, gzip through axios', async () => {
    const replies: Reply[] = [
      { headers: { 'content-encoding': 'br' }, body: zlib.brotliCompressSync(Buffer.alloc(1e5)) },
      { headers: { 'content-encoding': 'deflate' }, body: zlib.deflateSync(Buffer.alloc(1e5)) },
      gzip('{"a":1}'),
    ]
    const seen = await valueInVirtualTime(
      async (clock) => {
        const brotli = await (await fetch(server.url, { signal: AbortSignal.timeout(5) })).arrayBuffer()
        const deflate = await (await fetch(server.url, { signal: AbortSignal.timeout(5) })).arrayBuffer()
        const { data } = await axios.get(server.url, { timeout: 5 })
        return [brotli.byteLength, deflate.byteLength, data.a, clock.nowMs()]
      },
      { server, script: (index) => replies[index]! },
    )
    expect(seen).toEqual([100_000, 100_000, 1, 0])
  })

  test('an answer of 20 MB within a 10 ms timeout', async () => {
    const seen = await valueInVirtualTime(
      async (clock) => {
        const response = await fetch(server.url, { signal: AbortSignal.timeout(10) })
        return [(await response.arrayBuffer()).byteLength, clock.nowMs()]
      },
      { server, script: () => ({ body: Buffer.alloc(2e7) }) },
    )
    expect(seen).toEqual([20_000_000, 0])
  })

  test('an upload of 5 MB within a 10 ms timeout', async () => {
    const seen = await valueInVirtualTime(
      async (clock) => {
        const response = await fetch(server.url, { method: 'POST', body: Buffer.alloc(5e6), signal: AbortSignal.timeout(10) })
        return [await response.text(), clock.nowMs()]
      },
      { server, script: (_, body) => ({ body: String(body.length) }) },
    )
    expect(seen).toEqual(['5000000', 0])
  })

  test('HTTP written by hand on a plain socket', async () => {
    const seen = await valueInVirtualTime(
      async (clock) => {
        const socket = new net.Socket()
        socket.connect(server.port, '127.0.0.1')
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
        const timer = setTimeout(() => socket.destroy(), 5)
        let text = ''
        for await (const chunk of socket) text += chunk
        clearTimeout(timer)
        return [text.slice(0, 15), clock.nowMs()]
      },
      { server },
    )
    expect(seen).toEqual(['HTTP/1.1 200 OK', 0])
  })

  test('a host name that is looked up', async () => {
    const seen = await valueInVirtualTime(
      async (clock) => {
        const response = await fetch(`http://localhost:${server.port}`, { signal: AbortSignal.timeout(5) })
        return [response.status, await response.text(), clock.nowMs()]
      },
      { server },
    )
    expect(seen).toEqual([200, '{"ok":true}', 0])
  })

  test('a connection that the operating system refuses', async () => {
    const closed = await listeningServer()
    const { url } = closed
    const seen = await valueInVirtualTime(
      async (clock) => {
        await closed.close()
        const code = await fetch(url, { signal: AbortSignal.timeout(5) }).catch(failure)
        return [code, clock.nowMs()]
      },
      { server: closed },
    )
    expect(seen).toEqual(['ECONNREFUSED', 0])
  })

  test('resets and truncated answers', async () => {
    const replies: Reply[] = [{ fault: 'reset' }, { fault: 'truncate' }, { fault: 'reset', delayMs: 700 }]
    const seen = await valueInVirtualTime(
      async (clock) => {
        const log: unknown[] = []
        for (const _ of replies) {
          const text = await fetch(server.url, { method: 'POST', body: 'x' }).then(
            (response) => response.text().catch(failure),
            failure,
          )
          log.push(text, clock.nowMs())
        }
        return log
      },
      { server, script: (index) => replies[index]! },
    )
    expect(seen).toEqual(['ECONNRESET', 0, 'UND_ERR_SOCKET', 0, 'ECONNRESET', 700])
  })
})

describe('a reader that does not read keeps no time back:', () => {
  test('a compressed body read slowly', async () => {
    const { length, endMs } = await valueInVirtualTime(
      async (clock) => {
        const response = await fetch(server.url)
        let received = 0
        let chunks = 0
        for await (const chunk of response.body!) {
          received += chunk.length
          if (chunks++ % 50 === 0) await sleep(1000)
        }
        return { length: received, endMs: clock.nowMs() }
      },
      { server, script: () => bigGzip },
    )
    expect(length).toBe(20_000_000)
    // How many chunks zlib makes of it is not fixed; that the sleeps took place is.
    expect(endMs).toBeGreaterThan(1000)
    expect(endMs % 1000).toBe(0)
  })

  test('a body of 5 MB read with a second between the chunks', async () => {
    const { length, endMs } = await valueInVirtualTime(
      async (clock) => {
        const response = await fetch(server.url)
        let received = 0
        for await (const chunk of response.body!) {
          received += chunk.length
          await sleep(1000)
        }
        return { length: received, endMs: clock.nowMs() }
      },
      { server, script: () => ({ body: Buffer.alloc(5e6) }) },
    )
    expect(length).toBe(5_000_000)
    // Chunks are 64 kB at most, so there are 76 or more if the reader gets them one by one; it may get larger ones.
    expect(endMs).toBeGreaterThan(5000)
    expect(endMs % 1000).toBe(0)
  })

  test('a body that node:http never reads', async () => {
    const endMs = await valueInVirtualTime(
      async (clock) => {
        await get(server.url)
        await sleep(10_000)
        return clock.nowMs()
      },
      { server, script: () => ({ body: Buffer.alloc(1e6) }) },
    )
    expect(endMs).toBe(10_000)
  })

  test('a body that fetch never reads', async () => {
    const seen = await valueInVirtualTime(
      async (clock) => {
        const response = await fetch(server.url)
        await sleep(10_000)
        return [clock.nowMs(), response.bodyUsed]
      },
      { server, script: () => ({ body: Buffer.alloc(5e6) }) },
    )
    expect(seen).toEqual([10_000, false])
  })

  test('an upload that is generated slowly', async () => {
    async function* generate() {
      for (let i = 0; i < 5; i++) {
        yield Buffer.alloc(1000)
        await sleep(2000)
      }
    }
    const seen = await valueInVirtualTime(
      async (clock) => {
        const init = { method: 'POST', body: generate(), duplex: 'half' } as unknown as RequestInit
        return [await (await fetch(server.url, init)).text(), clock.nowMs()]
      },
      { server, script: (_, body) => ({ body: String(body.length) }) },
    )
    expect(seen).toEqual(['5000', 10_000])
  })
})

describe('aborting', () => {
  test('compressed answers in the middle, then a corrupt one, leaves nothing busy', async () => {
    const corrupt = Buffer.concat([Buffer.from(bigGzip.body!).subarray(0, 500), Buffer.from('garbage'.repeat(50))])
    const seen = await valueInVirtualTime(
      async (clock) => {
        const errors = new Set<string>()
        for (let i = 0; i < 31; i++) {
          const controller = new AbortController()
          try {
            const response = await fetch(server.url, { signal: controller.signal })
            let chunks = 0
            for await (const _ of response.body!) if (++chunks === i) controller.abort()
          } catch (reason) {
            const { name, cause } = reason as Error & { cause?: { code?: string } }
            errors.add(`${name} ${cause?.code ?? ''}`.trim())
          }
        }
        await sleep(1000)
        return [...errors, clock.nowMs()]
      },
      { server, script: (index) => (index >= 30 ? { ...bigGzip, body: corrupt } : bigGzip) },
    )
    expect(seen).toEqual(['AbortError', 'TypeError Z_DATA_ERROR', 1000])
  })

  test('at once, at the next immediate or at the next timer, 200 times', async () => {
    const { failures, endMs } = await valueInVirtualTime(
      async (clock) => {
        let failed = 0
        for (let i = 0; i < 200; i++) {
          const controller = new AbortController()
          const call = fetch(server.url, { signal: controller.signal })
          if (i % 3 === 0) controller.abort()
          else if (i % 3 === 1) setImmediate(() => controller.abort())
          else setTimeout(() => controller.abort(), 0)
          await call.then((response) => response.text()).catch(() => failed++)
        }
        return { failures: failed, endMs: clock.nowMs() }
      },
      { server },
    )
    // All those aborted at once (67 of 200) fail for sure; a timer of 1 ms comes only after its answer, so those (66) succeed.
    expect(failures).toBeGreaterThanOrEqual(67)
    expect(failures).toBeLessThanOrEqual(134)
    expect(endMs).toBeLessThan(200)
  })
})
