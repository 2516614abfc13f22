import { describe, expect, test } from 'vitest'
import { renderSvg } from '../../src/report/svg.js'
import { type AttemptSketch, rejected, type TrialSketch, trialOf, unsettled } from '../support/make-trial.js'
import { oddTrials } from '../support/odd-trials.js'

const draw = (sketch: TrialSketch, options: Parameters<typeof renderSvg>[1] = {}) => renderSvg(trialOf(sketch), options)

/** Words of the picture in the order in which they are drawn, the description left out. */
const words = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!)

/** Where the bars begin, from left to right as drawn. */
const barsOf = (svg: string) =>
  [...svg.matchAll(/<rect class="(?:good|refused|fault)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map((match) => ({
    x: Number(match[1]),
    width: Number(match[2]),
  }))

const refusedThenGood: TrialSketch = {
  method: 'GET',
  attempts: [
    { status: 429, headers: { 'Retry-After': '30' } },
    { at: 512, status: 200 },
  ],
}

const manyAttempts = (count: number): AttemptSketch[] =>
  Array.from({ length: count }, (_, i) => ({
    at: i * 1_000,
    status: 503,
    headers: { 'Retry-After': '120' },
    path: `/v1/a/rather/long/path/${i}`,
    key: `a-long-idempotency-key-${i}`,
  }))

test('says what every attempt came to, how long the client waited, and what the caller got', () => {
  expect(words(draw(refusedThenGood))).toEqual(
    expect.arrayContaining([
      '#1 GET /v1/chat',
      '429 · Retry-After: 30',
      '#2 GET /v1/chat',
      '200',
      '512 ms',
      'the caller',
      'resolved 200 · at 512 ms',
    ]),
  )
})

test('rings and captions the broken spot, and nothing else', () => {
  const svg = draw(refusedThenGood, { marks: new Map([[2, '29 488 ms too early']]) })
  expect(words(svg)).toContain('✗ 29 488 ms too early')
  // One ring round attempt 2, one in the legend.
  expect(svg.match(/class="ring"/g)).toHaveLength(2)
  expect(draw(refusedThenGood)).not.toContain('class="ring"')
})

test('an attempt inside the window of a hint stands within its hatched span', () => {
  const svg = draw(refusedThenGood)
  const hatch = /fill="url\(#rt-hatch\)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(svg)!
  const [from, width] = [Number(hatch[1]), Number(hatch[2])]
  const second = barsOf(svg)[1]!
  expect(second.x).toBeGreaterThan(from)
  expect(second.x + second.width).toBeLessThan(from + width)
})

test('hints that the contract does not speak of are no spans', () => {
  expect(draw(refusedThenGood, { hintHeaders: ['retry-after-ms'] })).not.toContain('url(#rt-hatch)"')
})

test('a longer wait is never drawn shorter than a shorter one', () => {
  const waits = [5, 40, 41, 300, 9_000, 9_001, 3_600_000]
  const arrivals = [0, ...waits.map((_, i) => waits.slice(0, i + 1).reduce((sum, wait) => sum + wait))]
  const bars = barsOf(draw({ method: 'GET', attempts: arrivals.map((at) => ({ at, status: 503 })) }))
  const drawn = bars.slice(1).map(({ x }, i) => Math.round((x - bars[i]!.x) * 10) / 10)
  // Each place is rounded to a tenth of a pixel.
  expect(drawn.slice(1).filter((px, i) => px < drawn[i]! - 0.2)).toEqual([])
  expect(drawn[0]).toBeGreaterThan(5)
})

test('a long wait breaks the axis', () => {
  expect(
    words(draw({ method: 'GET', attempts: [{ status: 503 }, { at: 100, status: 503 }, { at: 3_600_100, status: 200 }] })),
  ).toEqual(expect.arrayContaining(['waited 1 h', 'a long time, drawn shorter']))
})

test('the deadline is a line, and what lies beyond it is red', () => {
  const late: TrialSketch = {
    method: 'GET',
    attempts: [
      { fault: 'hang', endedAt: 5_000, hungUpAt: 5_000 },
      { at: 6_000, status: 200, endedAt: 9_000 },
    ],
    settledAt: 9_000,
  }
  expect(words(draw(late, { deadlineMs: 8_000 }))).toContain('deadline 8 s')
  expect(draw(late, { deadlineMs: 8_000 })).toContain('class="bad-line"')
  expect(draw(late, { deadlineMs: 10_000 })).not.toContain('class="bad-line"')
  expect(words(draw(late))).not.toContain('deadline 8 s')
})

test('the deadline that the harness enforced is drawn without being asked for', () => {
  const aborted: TrialSketch = {
    method: 'GET',
    attempts: [{ fault: 'hang', endedAt: 300, hungUpAt: 300 }],
    calls: [{ method: 'GET', abortedAt: 300, settledAt: 301, outcome: rejected('aborted') }],
    record: { abortAtMs: 300 },
  }
  expect(words(draw(aborted))).toEqual(expect.arrayContaining(['deadline 300 ms', 'hang · client hung up']))
})

test('an abort in mid-wait is a line of its own', () => {
  const aborted: TrialSketch = {
    method: 'GET',
    attempts: [{ status: 503 }],
    calls: [{ method: 'GET', abortedAt: 700, settledAt: 700, outcome: rejected('aborted') }],
  }
  expect(words(draw(aborted))).toContain('caller aborted at 700 ms')
})

describe('work', () => {
  test('done twice is counted with the keys and the attempts that did it', () => {
    const svg = draw({
      attempts: [
        { fault: 'reset', ledger: 'new' },
        { at: 500, status: 200, key: 'k-2' },
      ],
    })
    expect(words(svg)).toEqual(
      expect.arrayContaining([
        'reset (after the work was applied)',
        'other key k-2',
        'work done 2 times: key k-1 by #1, key k-2 by #2',
      ]),
    )
  })

  test('of safe methods is not counted', () => {
    expect(words(draw(refusedThenGood))).not.toContain('the server')
  })
})

test('a call that never settled has an open end', () => {
  const svg = draw({ method: 'GET', attempts: [{ fault: 'hang' }], settledAt: null, outcome: unsettled('attempt 1') })
  expect(words(svg)).toContain('UNSETTLED deadlock')
})

test('several calls are told apart', () => {
  const svg = draw({
    method: 'GET',
    attempts: [
      { call: 0, status: 200 },
      { call: 1, at: 10, status: 503 },
      { call: 1, at: 20, status: 200 },
    ],
  })
  expect(words(svg)).toEqual(expect.arrayContaining(['call 1', 'call 2', 'resolved 200 · at 20 ms']))
})

describe('a long trace', () => {
  const marks = new Map([[100, 'one too many']])

  test('shows the first, the last and the broken attempts, and says what it leaves out', () => {
    const shown = words(draw({ attempts: manyAttempts(200) }, { marks }))
    expect(shown.filter((text) => text.startsWith('⋮'))).toEqual([
      '⋮  91 attempts not shown (#9 to #99)',
      '⋮  92 attempts not shown (#101 to #192)',
    ])
    expect(shown).toContain('✗ one too many')
  })

  test('stays below 20 kB', () => {
    const allMarked = new Map(
      Array.from({ length: 200 }, (_, i) => [i + 1, 'came before the time was up, and not for the first time']),
    )
    const svg = draw({ attempts: manyAttempts(200) }, { marks: allMarked, title: 'x '.repeat(500), caption: 'y '.repeat(500) })
    expect(Buffer.byteLength(svg)).toBeLessThan(20_000)
  })
})

test.for(oddTrials)('$name stays below 20 kB, with a title and a description', ({ trial, options }) => {
  const svg = renderSvg(trial, options)
  expect(Buffer.byteLength(svg)).toBeLessThan(20_000)
  expect(svg).toMatch(/<title>[^<]+<\/title>\n<desc>[^<]+<\/desc>/)
  expect(svg).not.toMatch(/<script|\]\]>|\p{Cs}|[\u202A-\u202E]|[^\P{Cc}\n]/u)
})

describe('as a document', () => {
  const hostile = draw(
    {
      method: 'GET',
      path: '/<script>alert("1")</script>&',
      attempts: [{ status: 200 }],
      outcome: rejected('\u0000\ud800 <b> & "quoted"'),
    },
    { title: '</title><script>', caption: 'a & b', marks: new Map([[1, '<img onerror>']]) },
  )

  test('has a title and a description in words', () => {
    const svg = draw(refusedThenGood, { title: 'too early', caption: 'RAF-01', marks: new Map([[2, '29 488 ms too early']]) })
    expect(svg).toContain('<title>too early</title>')
    expect(svg).toContain(
      '<desc>RAF-01. Attempt 1 at 0 ms: 429 · Retry-After: 30. Attempt 2 at 512 ms: 200; broken: 29 488 ms too early. The caller: resolved 200.</desc>',
    )
  })

  test('escapes what others wrote', () => {
    expect(hostile).not.toMatch(/<script|<img|<b>|\p{Cs}|[^\P{Cc}\n]/u)
    expect(hostile).toContain('&lt;/title&gt;&lt;script&gt;')
  })

  test('has every element closed', () => {
    const stack: string[] = []
    for (const [, slash, name, selfClosing] of hostile.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
      if (slash) expect(stack.pop()).toBe(name)
      else if (!selfClosing) stack.push(name!)
    }
    expect(stack).toEqual([])
  })

  test('asks nothing of the network', () => {
    expect(hostile.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|@import|href=/)
  })
})

test('a trial without an attempt is a picture too', () => {
  expect(words(draw({ attempts: [], outcome: rejected('no host') }))).toContain('client: 0 attempts')
})
