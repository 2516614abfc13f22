import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.js'
import { folder, run } from './support.js'

test('batch and herd alone print the two reference tables of each', async () => {
  const batch = await run(['batch', '--runs', '1', '--strategy', 'classified'])
  expect(batch.out.match(/^Batch: .*/gm)).toEqual([
    'Batch: 200 jobs, 16 workers, 31 with a retired model',
    'Batch: 120 jobs, 4 workers, 19 with a retired model',
  ])
  const herd = await run(['herd', '--runs', '1', '--strategy', 'none', '--json'])
  const reports = JSON.parse(herd.out) as { reports: { options: { clients: number } }[] }[]
  expect(reports.map((report) => report.reports[0]!.options.clients)).toEqual([1, 10])
})

test('a picture is written to a file, a report as Markdown is printed', async () => {
  const cwd = folder()
  const size = ['--jobs', '10', '--workers', '2', '--runs', '1']
  expect(await run(['batch', ...size, '--format', 'svg', '-o', 'batch.svg'], { cwd })).toEqual({ code: 0, out: '', err: '' })
  expect(readFileSync(join(cwd, 'batch.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
  expect((await run(['batch', ...size, '--format', 'markdown'])).out).toMatch(/^## Batch: 10 jobs/)
})

test('a client of your own takes the place of the strategies', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'client.mjs'), 'export const client = (url, init) => fetch(url, init)\n')
  const size = ['--jobs', '10', '--workers', '2', '--runs', '1', '--json']
  const report = JSON.parse((await run(['batch', ...size, '--client', 'client.mjs'], { cwd })).out)
  expect(report).toMatchObject({ kind: 'batch', amplification: { median: 1 } })
})

test('progress is told after each run, and taken away at the end', async () => {
  const shown: string[] = []
  const io = {
    out: () => {},
    err: () => {},
    progress: (text: string) => shown.push(text),
    color: false,
    cwd: '.',
    readStdin: async () => '',
    onInterrupt: () => () => {},
  }
  await main(['batch', '--jobs', '4', '--workers', '2', '--runs', '2', '--strategy', 'naive'], io, '1.2.3')
  expect([...new Set(shown)]).toEqual(['--jobs 4 --workers 2, naive: run 1 of 2', '--jobs 4 --workers 2, naive: run 2 of 2', ''])
})

test('preflight holds what files and variables name against the list of live models', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'models.json'), '{ "data": [{ "id": "atlas-2" }, { "id": "atlas-2-mini" }] }')
  writeFileSync(join(cwd, 'app.yaml'), 'model: atlas-2\nfallback_model: atlas-1\n')
  const files = await run(['preflight', '--from', 'app.yaml', '--models', 'models.json'], { cwd })
  expect(files.out.split('\n')).toEqual([
    '      model    place',
    '────  ───────  ──────────',
    'live  atlas-2  app.yaml:1',
    'gone  atlas-1  app.yaml:2',
    '',
    'not on the list of live models: atlas-1',
  ])
  expect(files.code).toBe(1)
  process.env.RETRIAL_SPEC_MODEL = 'atlas-0'
  try {
    const { code, out } = await run(['preflight', '--env', '--models', '-', '--json'], { cwd, stdin: '["atlas-2"]' })
    expect(code).toBe(1)
    expect(JSON.parse(out).entries).toContainEqual({ id: 'atlas-0', place: 'env RETRIAL_SPEC_MODEL', live: false })
  } finally {
    delete process.env.RETRIAL_SPEC_MODEL
  }
})

test('preflight ends with 0 where every model is live, and with 3 where none is named', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'live.ts'), "ask({ model: 'atlas-2' })\n")
  writeFileSync(join(cwd, 'none.ts'), 'ask()\n')
  const preflight = (file: string) => run(['preflight', '--from', file, '--live', 'atlas-2'], { cwd })
  expect(await preflight('live.ts')).toMatchObject({ code: 0, out: expect.stringContaining('every model that is named is live') })
  expect(await preflight('none.ts')).toMatchObject({ code: 3, out: 'no model id was found (files read: 1)' })
})
