import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InventoryError, takeInventory } from '../../src/experiments/batch/inventory.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function files(contents: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(contents)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const LIVE = ['atlas-2', 'atlas-2-mini']

test('finds ids in code, configuration and variables, and says which are not live', async () => {
  await files({
    'src/client.ts': "const a = 1\nawait ask({ model: 'atlas-1', n: 1 })\n",
    'config/app.yaml': 'chat_model: atlas-2\n',
    'config/app.json': '{ "modelId": "borealis-0" }\n',
    'run.sh': 'ask --model cirrus-2 --fast\n',
  })
  const { entries, retired, filesRead } = await takeInventory({
    from: [folder],
    env: { CHAT_MODEL: 'atlas-0', HOME: '/root' },
    live: LIVE,
  })
  const found = entries.map(({ id, place, live }) => [id, place.replace(`${folder}/`, ''), live])
  expect(found).toEqual([
    ['borealis-0', 'config/app.json:1', false],
    ['atlas-2', 'config/app.yaml:1', true],
    ['cirrus-2', 'run.sh:1', false],
    ['atlas-1', 'src/client.ts:2', false],
    ['atlas-0', 'env CHAT_MODEL', false],
  ])
  expect(retired).toEqual(['borealis-0', 'cirrus-2', 'atlas-1', 'atlas-0'])
  expect(filesRead).toBe(4)
})

test('a known id is found wherever it stands, as a whole id only', async () => {
  await files({ 'notes.md': 'We moved from atlas-1 to atlas-2-mini.\n' })
  const { entries } = await takeInventory({
    from: [folder],
    env: { FALLBACKS: 'atlas-1,atlas-2' },
    live: LIVE,
    retired: ['atlas-1'],
  })
  expect(entries.map(({ id, live }) => [id, live])).toEqual([
    ['atlas-2-mini', true],
    ['atlas-1', false],
    ['atlas-2', true],
    ['atlas-1', false],
  ])
})

test('types, prose and placeholders are no ids', async () => {
  await files({ 'a.ts': 'model: string\nconst model = undefined\nthe model re-sends\nremodel: yes\nmodel = options\n' })
  expect((await takeInventory({ from: [folder], live: LIVE })).entries).toEqual([])
})

test('dependencies, binaries and repositories are passed over', async () => {
  const line = "model: 'atlas-1'\n"
  await files({ 'node_modules/x/a.js': line, '.git/config': line, 'image.bin': `\0${line}`, 'b.ts': line })
  const { entries, filesRead } = await takeInventory({ from: [folder], live: LIVE })
  expect(entries.map(({ place }) => place)).toEqual([`${join(folder, 'b.ts')}:1`])
  expect(filesRead).toBe(1)
})

test('a path that is not there is named', async () => {
  const from = [join(folder, 'nowhere')]
  await expect(takeInventory({ from, live: LIVE })).rejects.toThrow(
    new InventoryError(`takeInventory(options).from: ${from[0]} cannot be read (ENOENT)`),
  )
})

test.each(['from', 'live', 'retired'])('%s has to be a list', async (name) => {
  const options = { from: [folder], live: LIVE, [name]: 'atlas-2' }
  await expect(takeInventory(options)).rejects.toThrow(
    new InventoryError(`takeInventory(options).${name}: expected a list, received 'atlas-2'`),
  )
})
