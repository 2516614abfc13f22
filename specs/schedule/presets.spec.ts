import { describe, expect, test } from 'vitest'
import { parseSchedule, parseStep, presets, printSchedule, type ResponseStep } from '../../src/schedule/index.js'

const { anthropic, aws, azure, github, google, ietf, openai, stripe } = presets

const body = (step: ResponseStep) => step.body as { error: Record<string, unknown> }

const every = Object.entries(presets).flatMap(([provider, answers]) =>
  Object.entries(answers).map(([name, make]): [string, ResponseStep] => [`${provider}.${name}`, (make as () => ResponseStep)()]),
)

test.each(every)('%s is a step that prints and parses back', (_, step) => {
  expect(parseStep(step)).toEqual(step)
  expect(parseSchedule(printSchedule([step])).steps).toEqual([step])
})

describe('the wait is where the provider puts it', () => {
  test.each<[string, ResponseStep, Partial<ResponseStep>]>([
    ['openai', openai.rateLimited({ retryAfter: 20 }), { status: 429, retryAfter: 20 }],
    ['anthropic', anthropic.rateLimited({ retryAfter: { date: 5 } }), { status: 429, retryAfter: { date: 5 } }],
    ['github, secondary', github.secondaryLimit({ status: 429, retryAfter: 3 }), { status: 429, retryAfter: 3 }],
    ['azure', azure.throttled({ retryAfterMs: 1500 }), { headers: { 'retry-after-ms': '1500' } }],
    ['azure, older', azure.throttled({ header: 'x-ms-retry-after-ms' }), { headers: { 'x-ms-retry-after-ms': '1000' } }],
    ['stripe', stripe.apiError({ shouldRetry: true }), { status: 500, headers: { 'stripe-should-retry': 'true' } }],
  ])('%s', (_, step, expected) => {
    expect(step).toMatchObject(expected)
  })

  test('github, primary: a stamp computed at the time of serving', () => {
    expect(github.primaryLimit({ resetInSeconds: 3 }).headers).toMatchObject({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': { secondsFromNow: 3 },
    })
  })

  test('google: RetryInfo in the body, as a JSON duration', () => {
    expect(body(google.unavailable({ retryDelayMs: 1500 })).error).toMatchObject({
      status: 'UNAVAILABLE',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }],
    })
  })

  test('aws: milliseconds in a header of its own, or none', () => {
    expect(aws.throttled({ retryAfterMs: 250 }).headers).toHaveProperty('x-amz-retry-after', '250')
    expect(aws.throttled().headers).not.toHaveProperty('x-amz-retry-after')
  })

  test('ietf: structured fields, with Retry-After only where asked for', () => {
    expect(ietf.quotaExceeded({ quota: 10, windowSeconds: 1, remaining: 2, resetSeconds: 5, retryAfter: 3 })).toMatchObject({
      retryAfter: 3,
      headers: { 'ratelimit-policy': '"default";q=10;w=1', ratelimit: '"default";r=2;t=5' },
    })
    expect(ietf.quotaExceeded()).not.toHaveProperty('retryAfter')
  })
})

describe('the body tells permanent from temporary', () => {
  test.each([
    'credit_balance_exhausted',
    'organization_spend_limit_exceeded',
    'project_spend_limit_exceeded',
    'organization_usage_limit_exceeded',
  ] as const)('openai: a 429 with the code %s has no Retry-After', (code) => {
    const step = openai.outOfMoney(code)
    expect(body(step).error).toMatchObject({ type: 'insufficient_quota', code })
    expect(step).not.toHaveProperty('retryAfter')
  })

  test('openai: the look-alike speaks of quota, and its code says rate limit', () => {
    const { error } = body(openai.lookAlike())
    expect(error.message).toMatch(/insufficient quota/i)
    expect(error.code).toBe('rate_limit_exceeded')
  })

  test('anthropic: the spend limit differs by its details and by the missing Retry-After', () => {
    const step = anthropic.spendLimitReached()
    expect(body(step).error).toMatchObject({ type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } })
    expect(step).not.toHaveProperty('retryAfter')
  })

  test('anthropic: overload has a status of its own', () => {
    expect(anthropic.overloaded()).toMatchObject({ status: 529, body: { error: { type: 'overloaded_error' } } })
  })
})
