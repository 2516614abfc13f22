import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeProject, runVitest, startVitest } from '../support/run-vitest.js'

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

/** Exit code and output of vitest in a project. */
const vitestIn = (project: string, args: readonly string[]) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = startVitest(project, args)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    child.on('close', (code) => resolve({ code, output }))
  })

test('the blobs of the parts merge into one report, which fails if one of them did', async () => {
  // The second part promises what the client does not keep.
  const broken = part('2/2')
    .replace('toUphold({}', 'toUphold({ transient: [503], deadlineMs: 1_000 }')
    .replace('runs: 24', 'runs: 200')
  const project = makeProject({ ...FILES, 'search.2.spec.ts': broken })
  try {
    const blob = (index: number) => [
      `--shard=${index}/2`,
      '--reporter=blob',
      `--outputFile.blob=.vitest-reports/blob-${index}.json`,
    ]
    const parts = [await vitestIn(project, ['run', ...blob(1)]), await vitestIn(project, ['run', ...blob(2)])]
    // Which file goes to which job is vitest's to decide.
    expect(parts.map(({ code }) => code).sort()).toEqual([0, 1])
    const { output } = await vitestIn(project, ['--merge-reports', '--reporter=default'])
    expect(output).toMatch(/Test Files {2}1 failed \| 1 passed \(2\)/)
    expect(output).toContain('toUphold: ')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
