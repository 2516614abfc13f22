import { describe, expect, test } from 'vitest'
import type { Reason, Verdict } from '../../src/guarantees/model.js'
import { renderFailure } from '../../src/report/failure.js'
import { trialOf } from '../support/make-trial.js'

const picture = (text: string) => `\n${text}\n`

const early: Reason = {
  kind: 'fail',
  rule: 'RAF-01',
  level: 'must',
  source: 'RFC 9110 §10.2.3, RFC 6585 §4',
  trial: 0,
  attempt: 2,
  text: 'attempt 2 came 512 ms after a 429 that asked for 30 s',
  requirement: 'do not come back before Retry-After has passed',
  expected: 'gap ≥ 30 000 ms',
  received: 'gap = 512 ms',
  mark: '29 488 ms too early',
}

const verdict = (...reasons: Reason[]): Verdict => ({
  guarantee: 'hint',
  kind: reasons[0]?.kind ?? 'inconclusive',
  level: 'must',
  stage: 2,
  source: 'RFC 9110 §10.2.3',
  reasons,
})

const trial = trialOf({
  attempts: [
    { status: 429, headers: { 'Retry-After': '30' } },
    { at: 512, status: 200 },
  ],
  path: '/',
  record: { schedule: '[{"status":429,"retryAfter":30},200]' },
})

test('reads in the order: what, rule, expected and received, timeline, replay', () => {
  expect(picture(renderFailure('toHonorRetryAfter', verdict(early), [trial]))).toMatchInlineSnapshot(`
    "
    toHonorRetryAfter: attempt 2 came 512 ms after a 429 that asked for 30 s

      rule      RAF-01 (must): do not come back before Retry-After has passed
                RFC 9110 §10.2.3, RFC 6585 §4
      expected  gap ≥ 30 000 ms
      received  gap = 512 ms

         0 ms  #1 → POST /   key k-1
         0 ms  #1 ← 429      Retry-After: 30
       512 ms  #2 → POST /   key k-1          ✗ 29 488 ms too early
       512 ms  #2 ← 200
       512 ms  resolved 200

      replay    [{"status":429,"retryAfter":30},200]
    "
  `)
})

describe('several reasons', () => {
  test('a binding rule comes first, other broken rules are counted, each attempt has its mark', () => {
    const should: Reason = { ...early, rule: 'RAF-06', level: 'should', attempt: 1, text: 'other', mark: 'other mark' }
    const others = ['RAF-03', 'RAF-07', 'RAF-01'].map((rule): Reason => ({ ...early, rule, mark: undefined }))
    const text = renderFailure('toHonorRetryAfter', verdict(should, early, ...others), [trial])
    expect(text.split('\n').slice(0, 8).join('\n')).toMatchInlineSnapshot(`
      "toHonorRetryAfter: attempt 2 came 512 ms after a 429 that asked for 30 s

        rule      RAF-01 (must): do not come back before Retry-After has passed
                  RFC 9110 §10.2.3, RFC 6585 §4
        expected  gap ≥ 30 000 ms
        received  gap = 512 ms
                  and 3 more: RAF-03, RAF-07, RAF-06
      "
    `)
    expect(text).toMatch(/#1 → POST .*✗ other mark/)
  })

  test('of many broken rules six are named', () => {
    const others = Array.from({ length: 9 }, (_, index): Reason => ({ ...early, rule: `CLS-0${index + 1}` }))
    const text = renderFailure('toHonorRetryAfter', verdict(early, ...others), [trial])
    expect(text).toContain('and 9 more: CLS-01, CLS-02, CLS-03, CLS-04, CLS-05, CLS-06, …\n')
  })

  test('what was kept is not counted among what was broken', () => {
    const kept: Reason = { ...early, kind: 'pass', rule: 'RAF-02' }
    expect(renderFailure('toHonorRetryAfter', verdict(early, kept), [trial])).not.toContain('RAF-02')
  })
})

test('shows the trial that failed, and says which it was', () => {
  const good = trialOf({ attempts: [{ status: 200 }] })
  const text = renderFailure('toHonorRetryAfter', verdict({ ...early, trial: 1 }), [good, trial])
  expect(text).toContain('  trial     2 of 2\n')
  expect(text).toContain('✗ 29 488 ms too early')
})

test('what the whole call broke is marked at its outcome', () => {
  const text = renderFailure('toStayWithinDeadline', verdict({ ...early, attempt: null, mark: '2 s late' }), [trial])
  expect(text).toMatch(/resolved 200 .*✗ 2 s late/)
})

test('the head has at most ten lines, whatever the reasons hold', () => {
  const long = { ...early, text: 'a\nb', expected: 'c\nd', received: 'e\nf', trial: 1 }
  const text = renderFailure('toX', verdict(long, { ...long, rule: 'B' }), [trial, trial])
  const timelineStart = text.split('\n').findIndex((line) => line.includes('#1 →'))
  expect(timelineStart).toBeLessThanOrEqual(10)
})

test.for([60, 80])('fits %d columns, but for what is there to be pasted', (width) => {
  const lines = renderFailure('toHonorRetryAfter', verdict(early), [trial], { width }).split('\n')
  expect(lines.filter((text) => text.length > width && !text.startsWith('  replay'))).toEqual([])
})

describe('replay', () => {
  const lastLines = (sketch: Parameters<typeof trialOf>[0]) =>
    renderFailure('toX', verdict(early), [trialOf(sketch)])
      .split('\n\n')
      .at(-1)

  test('names the options that are not the default', () => {
    const attempts = [
      { status: 503, method: 'GET', path: '/v1/models' },
      { status: 200, call: 1, path: '/' },
    ]
    const record = { schedule: '[503,200]', seed: 7, transport: 'fetch', keyHeader: 'x-key', abortAtMs: 300 } as const
    expect(picture(lastLines({ attempts, record, dedup: 'conflict' })!)).toMatchInlineSnapshot(`
      "
        replay    [503,200]
        options   {"call":{"method":"GET","path":"/v1/models"},"calls":2,"seed":7,"transport":"fetch","dedup":"conflict","keyHeader":"x-key","abortAtMs":300}
      "
    `)
  })

  test('a POST without a key asks for none', () => {
    expect(lastLines({ attempts: [{ status: 503 }], path: '/', key: null })).toContain(
      'options   {"call":{"idempotencyKey":"none"}}',
    )
  })

  test('a schedule of a megabyte is cut, and says where the whole is', () => {
    const schedule = JSON.stringify([{ status: 200, body: 'x'.repeat(1_000_000) }])
    const [, cut, where] = /^ {2}replay {4}(.*)\n {12}(.*)$/.exec(
      lastLines({ attempts: [{ status: 200 }], path: '/', record: { schedule } })!,
    )!
    expect(cut).toBe(`${schedule.slice(0, 1_999)}…`)
    expect(where).toBe('cut: all 1 000 026 characters stand in trial.schedule and in JSON reports')
  })

  test('a function schedule cannot be pasted', () => {
    expect(lastLines({ attempts: [{ status: 503 }], path: '/', record: { schedule: null } })).toBe(
      '  replay    the schedule is a function: run the trial again with the options',
    )
  })
})

test('inconclusive says so in its first word, with what did not happen', () => {
  const reason: Reason = {
    ...early,
    kind: 'inconclusive',
    attempt: null,
    text: "the client never retried POST, so there was no wait to judge; give `call: { method: 'GET' }`",
    expected: undefined,
    received: undefined,
    mark: undefined,
  }
  const never = trialOf({ attempts: [{ status: 429, headers: { 'Retry-After': '30' } }], path: '/' })
  expect(picture(renderFailure('toHonorRetryAfter', verdict(reason), [never]))).toMatchInlineSnapshot(`
    "
    inconclusive: the client never retried POST, so there was no wait to judge; give \`call: { method:
      'GET' }\`

      matcher   toHonorRetryAfter
      rule      RAF-01 (must): do not come back before Retry-After has passed
                RFC 9110 §10.2.3, RFC 6585 §4

         0 ms  #1 → POST /   key k-1
         0 ms  #1 ← 429      Retry-After: 30
         0 ms  rejected Error: HTTP 429

      replay    [{"status":429}]
    "
  `)
})

test('a kept rule is shown with what kept it, for a negated matcher', () => {
  const kept: Reason = { ...early, kind: 'pass', text: 'attempt 2 waited 30 s', mark: undefined }
  expect(renderFailure('not.toHonorRetryAfter', verdict(kept), [trial]).split('\n')[0]).toBe(
    'not.toHonorRetryAfter: kept: attempt 2 waited 30 s',
  )
})

test('a rule that was not promised says that it does not apply', () => {
  const text = renderFailure('toBackOff', verdict({ ...early, kind: 'not-applicable', text: 'no backoff was promised' }), [trial])
  expect(text.split('\n')[0]).toBe('not applicable: no backoff was promised')
})

test('a verdict without reasons still says what it is', () => {
  expect(renderFailure('toX', verdict(), [])).toBe('inconclusive: hint: no trial had anything to say about it')
})

test('in ASCII the schedule stays as it is', () => {
  const schedule = '[{"status":200,"body":"é"}]'
  const text = renderFailure('toX', verdict(early), [trialOf({ attempts: [{}, {}], path: '/', record: { schedule } })], {
    ascii: true,
  })
  expect(text.replace(schedule, '')).toMatch(/^[ -~\n]*$/)
  expect(text).toContain(schedule)
})
