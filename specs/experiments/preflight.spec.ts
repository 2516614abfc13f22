import { expect, test } from 'vitest'
import { createModelList, ModelListError, preflight } from '../../src/experiments/batch/preflight.js'

/** A clock that stands still until it is moved, and a `/models` that counts how often it was asked. */
function setUp(options: { ttlMs?: number; refreshMs?: number; shutdowns?: Record<string, string> } = {}) {
  const world = { nowMs: Date.UTC(2030, 0, 1), loads: 0, models: ['a-1', 'b-2'], isDown: false }
  const list = createModelList({
    ttlMs: 60_000,
    ...options,
    clock: { wallMs: () => world.nowMs },
    load: async () => {
      world.loads++
      if (world.isDown) throw new Error('GET /models: 503')
      return world.models
    },
  })
  return { world, list }
}

test('sorts out the ids that are not live, each once, and keeps the repeats of those that are', async () => {
  expect(await preflight(['a-1', 'old-0', 'a-1', 'old-0', 'b-2'], ['a-1', 'b-2'])).toEqual({
    accepted: ['a-1', 'a-1', 'b-2'],
    dropped: ['old-0'],
  })
})

test('one fetch serves everybody until the TTL is over', async () => {
  const { world, list } = setUp({ ttlMs: 60_000, refreshMs: 60_000 })
  await Promise.all([list.ids(), list.ids(), list.ids()])
  world.nowMs += 59_999
  await list.ids()
  expect(world.loads).toBe(1)
  world.nowMs += 1
  world.models = ['b-2']
  expect([...(await list.ids())]).toEqual(['b-2'])
  expect(world.loads).toBe(2)
})

test('from the refresh age on the old list is used while a new one is fetched', async () => {
  const { world, list } = setUp({ ttlMs: 60_000, refreshMs: 30_000 })
  await list.ids()
  world.nowMs += 30_000
  world.models = ['b-2']
  expect([...(await list.ids())]).toEqual(['a-1', 'b-2'])
  expect([...(await list.ids())]).toEqual(['b-2'])
  expect(world.loads).toBe(2)
})

test('a refresh that fails is forgiven until the TTL is over, not after', async () => {
  const { world, list } = setUp({ ttlMs: 60_000, refreshMs: 30_000 })
  await list.ids()
  world.isDown = true
  world.nowMs += 45_000
  expect([...(await list.ids())]).toEqual(['a-1', 'b-2'])
  world.nowMs += 15_000
  await expect(list.ids()).rejects.toThrow('GET /models: 503')
  world.isDown = false
  expect([...(await list.ids())]).toEqual(['a-1', 'b-2'])
})

test('a model is not live once its announced shut-down has come, although the cached list still names it', async () => {
  const { world, list } = setUp({ ttlMs: 60_000, shutdowns: { 'a-1': '2030-01-01T00:02:00Z' } })
  world.nowMs += 119_000
  await list.ids()
  world.nowMs += 1_000
  expect([...(await list.ids())]).toEqual(['b-2'])
  expect(world.loads).toBe(1)
})

test('a TTL that outlives an announced shut-down is refused', () => {
  expect(() => setUp({ ttlMs: 60_000, shutdowns: { 'a-1': '2030-01-01T00:00:30Z' } })).toThrow(
    new ModelListError(
      "createModelList(options).shutdowns['a-1']: a-1 shuts down in 30000 ms, before a list fetched now expires (ttlMs: 60000); expected a TTL below that",
    ),
  )
  expect(() => setUp({ ttlMs: 29_999, shutdowns: { 'a-1': '2030-01-01T00:00:30Z' } })).not.toThrow()
})

test.each([
  [{ ttlMs: 0 }, 'createModelList(options).ttlMs: expected milliseconds > 0, received 0'],
  [
    { refreshMs: 60_001 },
    'createModelList(options).refreshMs: expected milliseconds > 0 and at most the TTL (60000), received 60001',
  ],
  [{ shutdowns: { x: 'soon' } }, "createModelList(options).shutdowns['x']: expected a date, received 'soon'"],
])('wrong options are refused by name: %j', (options, message) => {
  expect(() => setUp(options)).toThrow(new ModelListError(message))
})

test.each([
  [{ load: 'GET /models' }, "createModelList(options).load: expected a function, received 'GET /models'"],
  [{ clock: undefined }, 'createModelList(options).clock.wallMs: expected a function, received undefined'],
])('a list without its means is refused by name: %j', (options, message) => {
  const given = { load: async () => ['a-1'], ttlMs: 1_000, clock: { wallMs: () => 0 }, ...options }
  expect(() => createModelList(given as unknown as Parameters<typeof createModelList>[0])).toThrow(new ModelListError(message))
})

test.each([
  [[], 'createModelList(options).load(): the list of models is empty'],
  ['a-1', "createModelList(options).load(): expected a list of ids, received 'a-1'"],
  [[{ id: 'a-1' }], /^createModelList\(options\)\.load\(\): expected ids as strings, received /],
])('what is no list of models drops no job: %j', async (loaded, message) => {
  const load = async () => loaded as string[]
  const list = createModelList({ load, ttlMs: 1_000, clock: { wallMs: () => 0 } })
  await expect(preflight(['a-1'], list)).rejects.toThrow(ModelListError)
  await expect(preflight(['a-1'], list)).rejects.toThrow(message)
})

test.each([
  [['a-1'], 'a-1', "preflight(models, live).live: expected a list of ids, received 'a-1'"],
  [['a-1'], null, 'preflight(models, live).live: expected a list of ids, received null'],
  ['a-1', ['a-1'], "preflight(models, live).models: expected a list of ids, received 'a-1'"],
])('one id is no list of ids: %j against %j', async (models, live, message) => {
  await expect(preflight(models as string[], live as string[])).rejects.toThrow(new ModelListError(message))
})
