import { expect, test } from 'vitest'
import { runVitest } from '../support/run-vitest.js'

const part = (shard: string) => `
  import { defineClient } from 'retrial'
  import { expect, test } from 'vitest'
  const seen = []
  const client = defineClient('fingerprint', {
    create: () => { seen.push(Math.random()) },
    call: async (_, { url, method, headers, body }) => (await fetch(url, { method, headers, body, redirect: 'manual' })).text(),
  })
  test('part ${shard}', async () => {
    await expect(client).toUphold({}, { runs: 24, seed: 5, shard: '${shard}' })
    console.log('SEEN ' + JSON.stringify([...new Set(seen)]))
  }, 60_000)
`
const FILES = { 'search.1.spec.ts': part('1/2'), 'search.2.spec.ts': part('2/2') }

test("vitest's --shard divides a search that is written in parts, and no run comes twice", async () => {
  const shards = [await runVitest(FILES, ['--shard=1/2']), await runVitest(FILES, ['--shard=2/2'])]
  expect(shards.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  expect(shards.flatMap(({ tests }) => tests.map(({ name }) => name)).sort()).toEqual(['part 1/2', 'part 2/2'])
  const [first, second] = shards.map(({ output }) => JSON.parse(/SEEN (\[.*\])/.exec(output)![1]!) as number[])
  expect(Math.min(first!.length, second!.length)).toBeGreaterThanOrEqual(12)
  expect(first!.filter((run) => second!.includes(run))).toEqual([])
})
