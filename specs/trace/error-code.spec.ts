import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/schedule/model.js'
import { machineCode } from '../../src/trace/error-code.js'
import { trialOf } from '../support/make-trial.js'

const codeOf = (answer: JsonValue, status = 429) => machineCode(trialOf({ attempts: [{ status, answer }] }).attempts[0]!)

test.each<[string, JsonValue, string]>([
  [
    'OpenAI',
    { error: { code: 'credit_balance_exhausted', type: 'insufficient_quota', message: 'm' } },
    'credit_balance_exhausted',
  ],
  ['OpenAI without a code', { error: { code: null, type: 'insufficient_quota' } }, 'insufficient_quota'],
  [
    'Anthropic',
    { type: 'error', error: { type: 'rate_limit_error', error_code: 'enforced_spend_limit_reached' } },
    'enforced_spend_limit_reached',
  ],
  ['Anthropic, plain', { type: 'error', error: { type: 'overloaded_error' } }, 'overloaded_error'],
  ['Google', { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'RESOURCE_EXHAUSTED'],
  [
    'Google with ErrorInfo',
    { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ '@type': 'x', reason: 'RATE_LIMIT_EXCEEDED' }] } },
    'RATE_LIMIT_EXCEEDED',
  ],
  ['a list of errors', { errors: [{ code: 'quota' }] }, 'quota'],
  ['a number of its own', { errors: [{ code: 88 }] }, '88'],
  ['flat', { error_code: 'E1', message: 'm' }, 'E1'],
  ['JSend', { status: 'fail', code: 'too_many' }, 'too_many'],
  ['OAuth', { error: 'slow_down' }, 'slow_down'],
])('%s', (_name, answer, code) => {
  expect(codeOf(answer)).toBe(code)
})

test.each<[string, JsonValue]>([
  ['the HTTP status again', { error: { code: 429, status: 429, message: 'insufficient_quota' } }],
  ['the HTTP status as text', { error: { code: '429' } }],
  ['message text', { error: { message: 'insufficient_quota' } }],
  ['prose in the code field', { error: { code: 'You exceeded your quota' } }],
  ['prose as the error', { error: 'insufficient quota' }],
  ['only an envelope', { type: 'error', status: 'error' }],
  ['no JSON', 'insufficient_quota'],
  ['an empty body', ''],
  ['JSON that is no object', [1, 2]],
])('%s is no code', (_name, answer) => {
  expect(codeOf(answer)).toBeNull()
})
