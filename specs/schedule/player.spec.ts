import { describe, expect, test } from 'vitest'
import {
  createPlayer,
  parseSchedule,
  type ScheduledRequest,
  ScheduleError,
  type ScheduleInput,
} from '../../src/schedule/index.js'

const request = (attempt: number): ScheduledRequest => ({
  attempt,
  call: 0,
  method: 'POST',
  path: '/',
  headers: {},
  body: '',
  idempotencyKey: null,
  arrivedAtMs: 0,
})

const player = (schedule: ScheduleInput) => createPlayer(parseSchedule(schedule))
const play = (schedule: ScheduleInput, attempts: number) => {
  const playing = player(schedule)
  return Array.from({ length: attempts }, (_, i) => playing.next(request(i + 1), []))
}

describe('a list of steps', () => {
  test('is played in order, and its last step for ever', () => {
    expect(play([429, 'reset', 200], 5)).toEqual([
      { step: { status: 429 }, index: 0 },
      { step: { fault: 'reset' }, index: 1 },
      { step: { status: 200 }, index: 2 },
      { step: { status: 200 }, index: 2 },
      { step: { status: 200 }, index: 2 },
    ])
  })

  test('plays a step as often as repeat says', () => {
    expect(play([{ status: 503, repeat: 3 }, 200], 5).map(({ index }) => index)).toEqual([0, 0, 0, 1, 1])
  })

  test('plays the last step beyond its repeat', () => {
    expect(play([500, { status: 200, repeat: 2 }], 5).map(({ index }) => index)).toEqual([0, 1, 1, 1, 1])
  })

  test('does not expand a huge repeat', () => {
    expect(play([{ status: 503, repeat: Number.MAX_SAFE_INTEGER }, 200], 3).map(({ index }) => index)).toEqual([0, 0, 0])
  })

  test('shows the step in line without consuming it', () => {
    const playing = player([{ status: 503, repeat: 2 }, 'refuse', 200])
    const seen = Array.from({ length: 5 }, (_, i) => {
      const upcoming = [playing.upcoming(), playing.upcoming()]
      const { step } = playing.next(request(i + 1), [])
      expect(upcoming).toEqual([step, step])
      return step
    })
    expect(seen.map((step) => ('fault' in step ? step.fault : step.status))).toEqual([503, 503, 'refuse', 200, 200])
  })

  test('tells which steps no attempt reached', () => {
    const playing = player([{ status: 503, repeat: 5 }, 429, 200])
    expect(playing.unplayed()).toEqual([{ status: 503, repeat: 5 }, { status: 429 }, { status: 200 }])
    playing.next(request(1), [])
    playing.upcoming()
    expect(playing.unplayed()).toEqual([{ status: 429 }, { status: 200 }])
    for (let attempt = 2; attempt <= 7; attempt++) playing.next(request(attempt), [])
    expect(playing.unplayed()).toEqual([])
  })

  test('starts afresh with each player', () => {
    const schedule = parseSchedule([503, 200])
    createPlayer(schedule).next(request(1), [])
    expect(createPlayer(schedule).next(request(1), []).index).toBe(0)
  })
})

describe('a function', () => {
  test('chooses the step of each attempt from the request and those before it', () => {
    const playing = player((now, history) => (now.attempt + history.length > 2 ? 200 : { status: 429, retryAfter: now.attempt }))
    expect(playing.next(request(1), [])).toEqual({ step: { status: 429, retryAfter: 1 }, index: null })
    expect(playing.next(request(2), [request(1)])).toEqual({ step: { status: 200 }, index: null })
  })

  test('has no step in line and leaves none unplayed', () => {
    const playing = player(() => 200)
    expect(playing.upcoming()).toBeNull()
    expect(playing.unplayed()).toEqual([])
  })

  test.each<[string, () => unknown, string]>([
    ['returns nothing', () => undefined, 'schedule(attempt 3): expected a status, a fault (reset, '],
    [
      'returns a wrong step',
      () => ({ status: 700 }),
      'schedule(attempt 3).status: expected an integer from 200 to 599, received 700',
    ],
    [
      'returns a promise',
      () => Promise.reject(new Error('late')),
      'schedule(attempt 3): expected a step, received a Promise; a schedule function answers at once',
    ],
    [
      'throws',
      () => {
        throw new TypeError('boom')
      },
      'schedule(attempt 3): the schedule function threw TypeError: boom',
    ],
  ])('that %s is named with the attempt', (_, choose, message) => {
    const playing = player(choose as ScheduleInput)
    expect(() => playing.next(request(3), [])).toThrow(ScheduleError)
    expect(() => playing.next(request(3), [])).toThrow(message)
  })

  test('that throws leaves its own error as the cause', () => {
    const boom = new TypeError('boom')
    const playing = player(() => {
      throw boom
    })
    expect(() => playing.next(request(1), [])).toThrow(expect.objectContaining({ cause: boom }))
  })
})
