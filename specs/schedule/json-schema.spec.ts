import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { scheduleJsonSchema } from '../../src/schedule/index.js'

const validator = z.fromJSONSchema(scheduleJsonSchema() as z.core.JSONSchema.JSONSchema)
const isValid = (schedule: unknown): boolean => validator.safeParse(schedule).success

test('schedule.schema.json is up to date (npm run schema)', () => {
  const file = readFileSync(new URL('../../schedule.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(file)).toEqual(scheduleJsonSchema())
})

test('every option has a description', () => {
  const { definitions } = scheduleJsonSchema() as {
    definitions: { RetrialStep: { anyOf: { properties?: Record<string, { description?: string }> }[] } }
  }
  const properties = definitions.RetrialStep.anyOf.flatMap((notation) => Object.entries(notation.properties ?? {}))
  expect(properties.filter(([, property]) => !property.description).map(([key]) => key)).toEqual([])
  expect(properties.map(([key]) => key)).toContain('retryAfter')
})

describe('it accepts', () => {
  test.each<[unknown]>([
    [[200]],
    [['reset', 503]],
    [[{ status: 429, retryAfter: 1 }]],
    [[{ status: 429, retryAfter: { date: 3, form: 'rfc850' } }]],
    [[{ status: 429, retryAfter: 'soon' }]],
    [[{ fault: 'hang', apply: true }]],
    [[{ status: 200, headers: { a: ['b', 'c'], d: { secondsFromNow: 1 } }, body: { any: [1] } }]],
    [{ $schema: './schedule.schema.json', title: 't', description: 'd', steps: [200] }],
  ])('%j', (schedule) => {
    expect(isValid(schedule)).toBe(true)
  })
})

describe('it refuses', () => {
  test.each<[unknown]>([
    [[]],
    [200],
    [[100]],
    [['explode']],
    [[{ status: 200, retry_after: 1 }]],
    [[{ status: 200, delayMs: -1 }]],
    [[{ status: 200, retryAfter: 1.5 }]],
    [[{ status: 200, headers: { 'a b': 'c' } }]],
    [[{ status: 200, stall: 'foot' }]],
    [[{ fault: 'hang', body: 'x' }]],
    [{ steps: [] }],
    [{ steps: [200], foo: 1 }],
  ])('%j', (schedule) => {
    expect(isValid(schedule)).toBe(false)
  })
})
