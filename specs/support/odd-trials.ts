import type { PictureOptions } from '../../src/report/svg.js'
import type { Trial } from '../../src/trace/model.js'
import { rejected, type TrialSketch, trialOf, unsettled } from './make-trial.js'

const MONTH_MS = 30 * 86_400_000
const MARKUP = '/日本語/</script><script>alert(1)</script>/]]>/-->/&amp;"\'/\u0000\u202e\ud800'

const SKETCHES: Readonly<Record<string, readonly [TrialSketch, PictureOptions?]>> = {
  'no attempt': [{ attempts: [], outcome: rejected('getaddrinfo ENOTFOUND api.example.com') }],
  'one attempt': [{ method: 'GET', attempts: [{ status: 200 }] }],
  'one millisecond': [
    { method: 'GET', attempts: [{ status: 503, endedAt: 1 }, { at: 2 }, { at: 3, endedAt: 4 }], settledAt: 4 },
    { marks: new Map([[2, '1 ms too early']]) },
  ],
  'thirty days': [
    {
      attempts: [
        { status: 429, headers: { 'Retry-After': '2592000' } },
        { at: 1, status: 503, ledger: 'new' },
        { at: MONTH_MS, status: 200, key: 'k-9' },
      ],
      settledAt: MONTH_MS,
    },
    { deadlineMs: 8_000, marks: new Map([[2, '2 591 999 999 ms too early']]) },
  ],
  'parallel calls': [
    {
      method: 'GET',
      attempts: Array.from({ length: 12 }, (_, i) => ({
        call: i % 4,
        at: Math.floor(i / 4) * 700 + i,
        status: i < 8 ? 503 : 200,
      })),
    },
    {
      marks: new Map([
        [7, 'came although the breaker was open'],
        [11, 'came although the breaker was open'],
      ]),
    },
  ],
  'a stream': [
    {
      attempts: [
        { status: 200, headersAt: 100, endedAt: 9_000, hungUpAt: 9_000, answer: 'data: 1', complete: false },
        { at: 9_500, status: 200, headersAt: 9_600, endedAt: 20_000 },
      ],
      settledAt: 20_000,
    },
  ],
  'deadline and abort close together': [
    {
      method: 'GET',
      attempts: [{ fault: 'hang', endedAt: 5_000, hungUpAt: 5_000 }],
      calls: [{ method: 'GET', abortedAt: 5_000, settledAt: 5_001, outcome: rejected('aborted') }],
    },
    { deadlineMs: 5_400, marks: new Map([[0, 'late']]) },
  ],
  'never settled': [
    {
      method: 'GET',
      attempts: [{ fault: 'hang' }],
      settledAt: null,
      outcome: unsettled('an answer to attempt 1 '.repeat(9)),
    },
    { marks: new Map([[0, 'never settled']]) },
  ],
  'words without end': [
    {
      path: `/v1/${'very-long-segment/'.repeat(40)}?q=${'x'.repeat(5_000)}`,
      key: `key-${'0123456789abcdef'.repeat(300)}`,
      attempts: [
        { status: 429, headers: { 'Retry-After': 'x'.repeat(300) } },
        { at: 900, status: 503, key: 'f'.repeat(300), headers: { 'Retry-After': 'Thu, 01 Jan 2026 00:00:30 GMT' } },
        { at: 1_500, fault: 'reset-body', status: 200 },
      ],
      outcome: rejected('connect failed '.repeat(60_000)),
    },
    {
      title: `toX: ${'x'.repeat(1_000)} ${'words '.repeat(200)}`,
      caption: 'a rule and its source '.repeat(60),
      marks: new Map([
        [2, 'more words than there is room for on one line '.repeat(9)],
        [0, 'no success '.repeat(90)],
      ]),
    },
  ],
  'markup and other scripts': [
    {
      path: MARKUP,
      key: `k${MARKUP}`,
      attempts: [
        { status: 503, headers: { 'Retry-After': MARKUP } },
        { at: 400, status: 200 },
      ],
      outcome: rejected(`接続できませんでした。👩‍💻🚀${MARKUP}`.repeat(9)),
    },
    {
      title: `接続できませんでした。もう一度お試しください。${MARKUP}`.repeat(3),
      caption: `مرحبا بالعالم ẍ̃ Ελληνικά ${MARKUP}`,
      marks: new Map([[2, `早すぎる 🚀 ${MARKUP}`]]),
    },
  ],
  'three hundred attempts, all of them broken': [
    {
      attempts: Array.from({ length: 300 }, (_, i) => ({
        at: i * 1_000,
        status: 503,
        headers: { 'Retry-After': '120' },
        path: `/v1/a/rather/long/path/${i}`,
        key: `a-long-idempotency-key-${i}`,
      })),
    },
    {
      title: 'x '.repeat(500),
      caption: 'y '.repeat(500),
      marks: new Map(Array.from({ length: 300 }, (_, i) => [i + 1, 'came before the time was up, and not for the first time'])),
    },
  ],
}

interface OddTrial {
  readonly name: string
  readonly trial: Trial
  readonly options: PictureOptions
}

/** Trials at the edges of what is drawn: empty, short, long, wide, hostile. */
export const oddTrials: readonly OddTrial[] = Object.entries(SKETCHES).map(([name, [sketch, options = {}]]) => ({
  name,
  trial: trialOf(sketch),
  options,
}))
