import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract, sound, wrong } from '../../fixtures/clients/index.js'
import { resolveSearch } from '../../src/search/options.js'
import { renderSearch } from '../../src/search/render.js'
import { search } from '../../src/search/run.js'
import { SearchOptionsError } from '../../src/search/space.js'
import { ClientSetupError, defineClient } from '../../src/trial/client.js'

const { client: hintIgnored } = wrong['hint-ignored']!
const fetchLoop = sound['fetch-loop']!

/** A client that writes down the first random number of every trial: each run has a seed of its own, so this tells runs apart. */
const fingerprinting = (seen: number[]) =>
  defineClient('fingerprint', {
    create: () => {
      seen.push(Math.random())
    },
    call: async (_state, { url, method, headers, body }) => {
      const response = await fetch(url, { method, headers, body, redirect: 'manual' })
      await response.text()
    },
  })

describe('a search', () => {
  test('gives the same report with the same seed', async () => {
    const [first, second] = [await search(hintIgnored, contract, { seed: 4 }), await search(hintIgnored, contract, { seed: 4 })]
    expect(renderSearch(first)).toBe(renderSearch(second))
    expect(first.coverage.table()).toBe(second.coverage.table())
  })

  test('upholds a sound client, and says what it met', async () => {
    const report = await search(fetchLoop, contract, { runs: 60, seed: 2 })
    expect(report).toMatchObject({ kind: 'upheld', runs: 60, seed: 2, isCut: false, counterexample: null, unmet: [] })
    expect(report.coverage.attempts).toBeGreaterThan(60)
  })

  test('ends between two runs when the budget is used up', async () => {
    // No budget is below the time of one run: exactly the first is made.
    const report = await search(fetchLoop, {}, { runs: 1_000, budgetMs: 0.001 })
    expect(report).toMatchObject({ isCut: true, runs: 0, counterexample: null })
  })

  test('is inconclusive when nothing was met', async () => {
    const report = await search(fetchLoop, { ...contract, stages: [5] }, { runs: 3 })
    expect(report).toMatchObject({ kind: 'inconclusive', runs: 0 })
    expect(renderSearch(report).split('\n')[0]).toBe(
      'inconclusive: none of 31 runs met anything that the contract speaks about (seed 1); give more runs, or promise what the client does',
    )
  })

  test('is inconclusive when something promised was never met', async () => {
    const report = await search(fetchLoop, contract, { runs: 1, seed: 1 })
    expect(report.kind).toBe('inconclusive')
    expect(report.unmet.length).toBeGreaterThan(0)
  })

  test('throws what is no verdict', async () => {
    const elsewhere = defineClient('elsewhere', async () => 'nothing sent')
    await expect(search(elsewhere)).rejects.toThrow(ClientSetupError)
  })

  test('tells a failure that does not come again from one that does', async () => {
    let trials = 0
    const moody = defineClient('moody', async ({ url, method, headers, body, signal }) => {
      trials += 1
      if (trials === 3) setTimeout(() => undefined, 60_000)
      await (await fetch(url, { method, headers, body, signal, redirect: 'manual' })).text()
    })
    const report = await search(moody, {}, { runs: 30, maxCalls: 1 })
    expect(report).toMatchObject({ kind: 'inconclusive', counterexample: { again: 'upheld' } })
    expect(renderSearch(report)).toMatch(/^inconclusive: a failure of search did not come again/)
  })

  test('that explores without sockets confirms on one, and shows what the wire saw', async () => {
    const { counterexample } = await search(hintIgnored, contract, { runs: 100, transport: 'fetch' })
    expect(counterexample).toMatchObject({ again: 'same', trials: [{ transport: 'socket' }] })
    expect(counterexample?.options).not.toHaveProperty('transport')
  })

  describe('explores without sockets', () => {
    const ports = (seen: Set<string>, send: (url: string) => Promise<unknown>) =>
      defineClient('ports', async ({ url }) => {
        seen.add(new URL(url).port)
        await send(url)
      })
    const viaFetch = async (url: string) => (await fetch(url, { redirect: 'manual' })).arrayBuffer()
    const viaHttp = (url: string) =>
      new Promise((resolve, reject) => {
        get(url, { agent: false }, (answer) => answer.resume().on('close', resolve)).on('error', reject)
      })
    const GET = { runs: 20, call: { method: 'GET' }, maxCalls: 1 } as const

    test('a client that sends through fetch, but for what only a socket can show', async () => {
      const seen = new Set<string>()
      await search(ports(seen, viaFetch), { deadlineMs: 400_000 }, { ...GET, runs: 60 })
      // One name stands for all runs without a socket; the others had a server of their own.
      expect(seen.has('65535')).toBe(true)
      expect(seen.size).toBeGreaterThan(1)
      expect(seen.size).toBeLessThan(30)
    })

    test('no client that sends otherwise, nor one that does so now and then', async () => {
      const [other, both] = [new Set<string>(), new Set<string>()]
      let calls = 0
      expect(await search(ports(other, viaHttp), {}, GET)).toMatchObject({ runs: 20 })
      const mixed = async (url: string) => {
        await viaFetch(url).catch(() => undefined)
        if (++calls === 3) await viaHttp(url)
      }
      await search(ports(both, mixed), {}, GET)
      expect(other.size).toBeGreaterThan(15)
      expect(both.size).toBeGreaterThan(5)
    })

    test('nobody when sockets are asked for', async () => {
      const seen = new Set<string>()
      await search(ports(seen, viaFetch), {}, { ...GET, transport: 'socket' })
      expect(seen.has('65535')).toBe(false)
    })
  })

  test('reports progress after every run', async () => {
    const done: number[] = []
    await search(fetchLoop, {}, { runs: 5, onProgress: (progress) => done.push(progress.done) })
    expect(new Set(done)).toEqual(new Set([1, 2, 3, 4, 5]))
  })
})

describe('shards', () => {
  test('split the runs of a seed without repeating one', async () => {
    const parts: number[][] = [[], [], []]
    const runs: number[] = []
    for (const [index, seen] of parts.entries()) {
      runs.push((await search(fingerprinting(seen), {}, { runs: 31, seed: 9, shard: `${index + 1}/3` })).runs)
    }
    expect(runs).toEqual([11, 10, 10])
    // A run that meets a malformed hint is made twice, and one that meets nothing is made as well.
    const apart = parts.map((seen) => new Set(seen).size)
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(10)
    expect(new Set(parts.flat()).size).toBe(apart.reduce((total, size) => total + size, 0))
  })

  test('are read from the environment', () => {
    expect(resolveSearch({ runs: 10 }, { RETRIAL_SHARD: '2/4', RETRIAL_SEED: '77' })).toMatchObject({
      runs: 3,
      seed: 77,
      shard: { index: 2, count: 4 },
    })
  })

  test.each([
    [{ runs: 0 }, 'search options.runs: expected an integer of at least 1, received 0'],
    [{ seed: 2 ** 40 }, 'search options.seed: expected a 32-bit integer, received 1099511627776'],
    [{ budgetMs: 0 }, 'search options.budgetMs: expected milliseconds above 0, received 0'],
    [{ path: 'x' }, 'search options.path: expected the path of a failure, such as "12:3:0", received "x"'],
    [{ shard: '4/3' }, 'search options.shard: expected "i/n" with 1 <= i <= n, received "4/3"'],
    [{ runs: 2, shard: '1/3' }, 'search options.runs: expected at least one for each of the 3 shards, received 2'],
  ])('options %j are refused', (options, message) => {
    expect(() => resolveSearch(options, {})).toThrow(new SearchOptionsError(message))
  })
})

describe('the corpus', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'retrial-corpus-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('keeps a counterexample and tries it first the next time', async () => {
    const corpus = join(directory, 'kept')
    const first = await search(hintIgnored, contract, { seed: 1, corpus })
    const files = await readdir(corpus)
    expect(files).toEqual([first.counterexample!.savedAs!.slice(corpus.length + 1)])
    expect(JSON.parse(await readFile(join(corpus, files[0]!), 'utf8'))).toMatchObject({
      client: 'hint-ignored',
      schedule: first.counterexample!.draw.schedule,
    })

    const second = await search(hintIgnored, contract, { seed: 999, corpus })
    expect(second.counterexample).toMatchObject({ found: 'corpus', schedule: first.counterexample!.schedule, runsUntilFound: 1 })
    expect(await readdir(corpus)).toEqual(files)
  })

  test('of another client is left alone', async () => {
    const report = await search(fetchLoop, {}, { runs: 3, corpus: join(directory, 'kept') })
    expect(report).toMatchObject({ kind: 'upheld', runs: 3 })
  })

  test('names a file that it cannot read', async () => {
    await writeFile(join(directory, 'broken.json'), '{"format":"retrial-counterexample","client":"x"}')
    await expect(search(fetchLoop, {}, { runs: 1, corpus: directory })).rejects.toThrow(
      new SearchOptionsError(
        `corpus: expected { format, client, schedule, options } of a counterexample in ${join(directory, 'broken.json')}`,
      ),
    )
  })
})
