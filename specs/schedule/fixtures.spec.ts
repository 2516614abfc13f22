import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { parseSchedule, printSchedule, scheduleJsonSchema } from '../../src/schedule/index.js'

const FOLDER = new URL('../../fixtures/schedules/', import.meta.url)
const OLDER = 'five-stage-older-spelling.json'

interface Story {
  readonly $schema?: string
  readonly title: string
  readonly description: string
  readonly steps: unknown[]
}

const files = readdirSync(FOLDER)
const text = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8')
const read = (file: string): Story => JSON.parse(text(file)) as Story
const validator = z.fromJSONSchema(scheduleJsonSchema() as z.core.JSONSchema.JSONSchema)

describe.each(files)('%s', (file) => {
  test('is a schedule that prints and parses back', () => {
    const schedule = parseSchedule(text(file), file)
    expect(parseSchedule(printSchedule(schedule))).toEqual(schedule)
  })

  test('tells its story', () => {
    const { title, description } = read(file)
    expect([title.length, description.length].every((length) => length > 10)).toBe(true)
  })
})

test.each(files.filter((file) => file !== OLDER))(
  '%s follows the JSON Schema that it names, in the shortest notation',
  (file) => {
    const story = read(file)
    expect(story.$schema).toBe('../../schedule.schema.json')
    expect(validator.safeParse(story).success).toBe(true)
    expect(JSON.parse(printSchedule(parseSchedule(story)) ?? '')).toEqual(story.steps)
  },
)

test('the older spelling is read, but not advertised by the JSON Schema', () => {
  expect(validator.safeParse(read(OLDER)).success).toBe(false)
  expect(printSchedule(parseSchedule(text(OLDER)))).toBe('[{"status":429,"retryAfter":1,"delayMs":1500},500,200]')
})

test('the five stages are the published ones', () => {
  expect(printSchedule(parseSchedule(text('five-stage.json')))).toBe('[{"status":429,"retryAfter":1},500,200]')
})
