import { describe, expect, test } from 'vitest'
import { parseSchedule, parseStep } from '../../src/schedule/index.js'

const steps = (input: unknown) => parseSchedule(input).steps

describe('notations', () => {
  test.each<[string, unknown, unknown]>([
    ['a number is a status', [503], [{ status: 503 }]],
    ['a string is a fault', ['reset-early'], [{ fault: 'reset-early' }]],
    ['an object is the whole step', [{ status: 429, retryAfter: 30 }], [{ status: 429, retryAfter: 30 }]],
    [
      'a fault object takes apply, delayMs and repeat',
      [{ fault: 'hang', apply: true, delayMs: 5, repeat: 2 }],
      [{ fault: 'hang', apply: true, delayMs: 5, repeat: 2 }],
    ],
    [
      'JSON text is a schedule',
      '[{"status":429,"retryAfter":1},500,"close",200]',
      [{ status: 429, retryAfter: 1 }, { status: 500 }, { fault: 'close' }, { status: 200 }],
    ],
    ['a file may carry its story', { $schema: 'x', title: 't', description: 'd', steps: [200] }, [{ status: 200 }]],
    ['JSON text of a file is read too', '{"steps":[200]}', [{ status: 200 }]],
    [
      'the older spelling is read as camelCase',
      [{ status: 429, retry_after: 1, delay_ms: 1500, retry_after_ms: 2, body_delay_ms: 3, drip_ms: 4, close_after: 'answer' }],
      [{ status: 429, retryAfter: 1, retryAfterMs: 2, delayMs: 1500, bodyDelayMs: 3, dripMs: 4, closeAfter: 'answer' }],
    ],
    ['the older spelling works on faults', [{ fault: 'close', delay_ms: 7 }], [{ fault: 'close', delayMs: 7 }]],
    ['options that are undefined are absent', [{ status: 200, delayMs: undefined, body: undefined }], [{ status: 200 }]],
    ['zero has no sign', [{ status: 200, delayMs: -0, body: [-0] }], [{ status: 200, body: [0], delayMs: 0 }]],
    [
      'a property without a value is not in the body',
      [{ status: 200, body: { a: undefined, b: 1 } }],
      [{ status: 200, body: { b: 1 } }],
    ],
    ['bytes become base64', [{ status: 200, body: new Uint8Array([0, 255]) }], [{ status: 200, body: { $base64: 'AP8=' } }]],
    [
      'a view into a larger buffer keeps its own bytes',
      [{ status: 200, body: new Uint8Array([1, 2, 3, 4]).subarray(1, 3) }],
      [{ status: 200, body: { $base64: 'AgM=' } }],
    ],
    ['null is a body', [{ status: 200, body: null }], [{ status: 200, body: null }]],
    [
      'a delay may have a fraction and reach ten years',
      [{ status: 200, delayMs: 0.5, bodyDelayMs: 315_576_000_000 }],
      [{ status: 200, delayMs: 0.5, bodyDelayMs: 315_576_000_000 }],
    ],
  ])('%s', (_, input, expected) => {
    expect(steps(input)).toStrictEqual(expected)
  })

  test.each<[unknown]>([
    [0],
    [3_000_000],
    [{ date: 3 }],
    [{ date: -3600, form: 'rfc850' }],
    [{ date: 0.5, form: 'asctime' }],
    [''],
    ['-5'],
    ['soon'],
    ['1, 3'],
    ['Sun, 06 Nov 1994 08:49:37 GMT'],
  ])('a Retry-After may be %j', (retryAfter) => {
    expect(steps([{ status: 503, retryAfter }])).toStrictEqual([{ status: 503, retryAfter }])
  })

  test.each<[unknown]>([['x'], [''], [['a=1', 'b=2']], [{ secondsFromNow: 60 }], ['\u00e9\t!']])(
    'a header value may be %j',
    (value) => {
      expect(steps([{ status: 200, headers: { 'X-Any_1': value } }])).toStrictEqual([
        { status: 200, headers: { 'X-Any_1': value } },
      ])
    },
  )

  test('a key that means something to JavaScript survives in a JSON body', () => {
    const body = steps('[{"status":200,"body":{"__proto__":1}}]')?.[0]
    expect(JSON.stringify(body)).toBe('{"status":200,"body":{"__proto__":1}}')
  })

  test('an event stream keeps its events in order', () => {
    const stream = {
      events: [{ event: 'ping', data: { n: 1 }, id: '1', retryMs: 500, delayMs: 20 }, { data: 'text' }, {}],
      end: 'stall',
    }
    expect(steps([{ status: 200, stream }])).toStrictEqual([{ status: 200, stream }])
  })
})

describe('results', () => {
  test('a validated schedule is returned as it is', () => {
    const schedule = parseSchedule([503, 200])
    expect(parseSchedule(schedule)).toBe(schedule)
  })

  test('a schedule from elsewhere is validated, not believed', () => {
    expect(parseSchedule({ steps: [{ status: 200 }], choose: null }).steps).toStrictEqual([{ status: 200 }])
    expect(() => parseSchedule({ steps: [{ status: 20 }], choose: null })).toThrow(
      'schedule.steps[0].status: expected an integer',
    )
  })

  test('the result is frozen all the way down and shares nothing with the input', () => {
    const input = [{ status: 200, body: { list: [1] }, headers: { a: ['b'] } }]
    const [step] = parseSchedule(input).steps ?? []
    input[0]!.body.list.push(2)
    input[0]!.headers.a.push('c')
    expect(step).toStrictEqual({ status: 200, headers: { a: ['b'] }, body: { list: [1] } })
    expect(() => (step as unknown as { body: { list: number[] } }).body.list.push(3)).toThrow(TypeError)
  })

  test('a function is a schedule without steps', () => {
    const choose = () => 200
    expect(parseSchedule(choose)).toStrictEqual({ steps: null, choose })
    expect(parseSchedule({ steps: null, choose }).choose).toBe(choose)
  })

  test('parseStep reads one step in any notation', () => {
    expect(parseStep(503)).toStrictEqual({ status: 503 })
    expect(parseStep('hang')).toStrictEqual({ fault: 'hang' })
    expect(parseStep({ status: 200, delay_ms: 1 })).toStrictEqual({ status: 200, delayMs: 1 })
  })
})
