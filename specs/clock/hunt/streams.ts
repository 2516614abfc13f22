import readline from 'node:readline'
import stream from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { get, getText, sleep } from '../support.js'
import type { ExactPattern, Patterns } from './model.js'

const { pipeline } = stream.promises

/** Takes a while over each chunk, as many times as it is told. */
const slowWriter = (waitMs: number, times: number) => {
  let written = 0
  return new stream.Writable({
    highWaterMark: 1,
    write: (_, __, done) => (written++ < times ? void setTimeout(done, waitMs) : done()),
  })
}

/** Reads a web stream to its end, waiting after each of the first chunks. */
export const readSlowly = async (body: ReadableStream<Uint8Array>, waitMs: number, times: number): Promise<number> => {
  let bytes = 0
  let chunks = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (++chunks <= times) await sleep(waitMs)
  }
  return bytes
}

export async function* parts(count: number, everyMs: number) {
  for (let i = 0; i < count; i++) {
    await sleep(everyMs)
    yield new TextEncoder().encode(`part ${i}`)
  }
}

export const streams: Patterns<ExactPattern> = {
  'compressed and decompressed into a slow writer': {
    act: () => pipeline(stream.Readable.from(parts(5, 10)), zlib.createGzip(), zlib.createGunzip(), slowWriter(100, 1)),
    // Nothing comes out of gzip before its end at 50 ms.
    atMs: 150,
  },
  'a compressed answer into a slow writer': {
    act: async ({ url }) => pipeline(await get(`${url}/gzip/2000000`), zlib.createGunzip(), slowWriter(50, 10)),
    atMs: 500,
  },
  'a body of events that is read more slowly than it comes': {
    act: async ({ url }) => {
      let reads = 0
      for await (const _ of (await fetch(`${url}/events/5/20`)).body as unknown as AsyncIterable<unknown>) {
        reads++
        await sleep(100)
      }
      return reads
    },
    // The first event at once; the others lie there at 100 ms, and whether in one piece or in four is the matter of Node's version.
    atMs: (reads: number) => reads * 100,
  },
  'a body of events that is read as it comes': {
    act: async ({ url }) => {
      const arrivals: string[] = []
      for await (const line of readline.createInterface({ input: await get(`${url}/events/4/250`) }))
        if (line) arrivals.push(line)
      return arrivals
    },
    atMs: 1000,
    gives: ['data: 0', 'data: 1', 'data: 2', 'data: 3'],
  },
  'a body of 5 MB that is left lying and cancelled after 10 s': {
    act: async ({ url }) => {
      const { body } = await fetch(`${url}/big/5000000`)
      await sleep(10_000)
      await body!.cancel()
    },
    atMs: 10_000,
  },
  'a body cancelled after its first chunk': {
    act: async ({ url }) => {
      const reader = (await fetch(`${url}/events/100/20`)).body!.getReader()
      await reader.read()
      await reader.read()
      await reader.cancel('enough')
      await sleep(100)
    },
    atMs: 120,
  },
  'a reader whose lock is released in the middle': {
    act: async ({ url }) => {
      const body = (await fetch(`${url}/events/4/20`)).body!
      const reader = body.getReader()
      await reader.read()
      reader.releaseLock()
      return readSlowly(body, 0, 0)
    },
    atMs: 80,
    gives: 27,
  },
  'response.clone, both read, one more slowly': {
    act: async ({ url }) => {
      const response = await fetch(`${url}/events/3/50`)
      const copy = response.clone()
      return Promise.all([
        response.text().then((body) => body.length),
        sleep(400).then(() => copy.text().then((body) => body.length)),
      ])
    },
    atMs: 400,
    gives: [27, 27],
  },
  'a body that is teed and only one branch read': {
    act: async ({ url }) => {
      const [left] = (await fetch(`${url}/big/3000000`)).body!.tee()
      return readSlowly(left, 10, 2)
    },
    atMs: 20,
    gives: 3_000_000,
  },
  'a body piped through transforms': {
    act: async ({ url }) => {
      const response = await fetch(`${url}/events/3/100`)
      const lengths = new TransformStream<Uint8Array, string>({
        transform: async (chunk, controller) => {
          await sleep(1)
          controller.enqueue(`${chunk.length} `)
        },
      })
      return text(response.body!.pipeThrough(lengths))
    },
    // The last event comes at 200 ms, the end of the answer at 300.
    atMs: 300,
    gives: '9 9 9 ',
  },
  'CompressionStream and DecompressionStream': {
    act: async () => {
      const body = new Blob(['c'.repeat(500_000)]).stream()
      const through = body.pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))
      return (await buffer(through)).length
    },
    atMs: 0,
    gives: 500_000,
  },
  'a pipeline that is aborted': {
    act: async ({ url }) => {
      const signal = AbortSignal.timeout(130)
      return pipeline(await get(`${url}/events/100/50`), new stream.PassThrough().resume(), { signal }).catch(() => 'aborted')
    },
    atMs: 130,
    gives: 'aborted',
  },
  'a stream composed of operators': {
    act: async () => {
      const waits = stream.Readable.from([30, 20, 10]).map((waitMs: number) => sleep(waitMs).then(() => waitMs), {
        concurrency: 2,
      })
      return waits.toArray()
    },
    // 30 and 20 together, 10 once 30 or 20 is out: 20 + 10.
    atMs: 30,
    gives: [30, 20, 10],
  },
  'a gzip body that is corrupt': {
    act: async ({ url }) =>
      pipeline(await get(`${url}/big/5000`), zlib.createGunzip(), new stream.PassThrough().resume()).catch(({ code }) => code),
    atMs: 0,
    gives: 'Z_DATA_ERROR',
  },
  'a dozen compressed answers at once': {
    act: ({ url }) =>
      Promise.all(Array.from({ length: 12 }, async (_, index) => (await getText(`${url}/gzip/${index}00000`)).length > 0)),
    atMs: 0,
    gives: Array(12).fill(true),
  },
}
