import { describe, expect, test } from 'vitest'
import { FAULT_KINDS, type Step, type StepInput } from '../../src/schedule/model.js'
import { parseStep } from '../../src/schedule/parse.js'
import { onStage, type Scene } from './support.js'

const KINDS: readonly StepInput[] = [
  ...FAULT_KINDS,
  ...FAULT_KINDS.map((fault) => ({ fault, apply: true, delayMs: 5 })),
  503,
  { status: 429, retryAfter: 1 },
  { status: 200, delayMs: 5 },
  { status: 200, bodyDelayMs: 5 },
  { status: 200, dripMs: 1 },
  { status: 200, dripMs: 1, endless: true },
  { status: 200, stall: 'headers' },
  { status: 200, stall: 'body' },
  { status: 200, truncate: 'length' },
  { status: 200, truncate: 'chunked' },
  { status: 200, truncate: 'gzip' },
  { status: 200, json: 'malformed' },
  { status: 200, closeAfter: 'answer' },
  { status: 200, closeAfter: 'next-request' },
  { status: 503, apply: true },
  { status: 503, repeat: 2 },
  { status: 204 },
  { status: 307, headers: { location: '/b' } },
  { status: 200, stream: { events: [{ data: 'a' }], end: 'reset' } },
  { status: 200, stream: { events: [{ data: 'a' }], end: 'stall' } },
]

/** One request, and whatever comes of it within 50 ms. */
async function once({ dial, wait }: Scene): Promise<void> {
  const client = dial().send()
  await wait(50)
  client.hangUp()
  await wait(0)
}

/** What no attempt has reached after so many requests. */
const unplayedAfter = (requests: number, schedule: readonly StepInput[]): Promise<readonly Step[]> =>
  onStage(schedule, async (scene) => {
    scene.server.baseUrl(0)
    for (let sent = 0; sent < requests; sent++) await once(scene)
    return scene.server.unplayed()
  })

describe.each(KINDS.map((kind) => [kind]))('%j', (kind) => {
  const step = parseStep(kind)
  const last = parseStep(202)

  test('is unplayed until a request meets it, however close it came', async () => {
    expect(await unplayedAfter(0, [kind, 202])).toEqual([step, last])
    expect(await unplayedAfter(1, [503, kind, 202])).toEqual([step, last])
    expect(await unplayedAfter(1, [{ status: 503, repeat: 2 }, kind, 202])).toEqual([step, last])
  })

  test('is played by the first request that meets it, and takes no other step with it', async () => {
    expect(await unplayedAfter(1, [kind, 202])).toEqual([last])
    expect(await unplayedAfter(2, [503, kind, 202])).toEqual([last])
    expect(await unplayedAfter(2, [503, kind])).toEqual([])
  })
})
