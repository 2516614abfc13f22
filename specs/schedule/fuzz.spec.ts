import { describe, test } from 'vitest'
import { expectScheduleOrError, LAWS } from './fuzz.js'

describe('the parser takes', () => {
  test.each(Object.entries(LAWS))('%s', (_name, hold) => {
    hold(300)
  })

  test.each<[string, string]>([
    ['lists in lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['lists without an end', '['.repeat(200_000)],
    ['a body of lists in lists', `[{"status":200,"body":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`],
    ['a body of objects in objects', `[{"status":200,"body":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]`],
    ['data of lists in lists', `[{"status":200,"stream":{"events":[{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}}]`],
    ['a number beyond all numbers', '[1e999]'],
    ['a negative zero', '[-0]'],
    ['a key of the prototype', '[{"__proto__":{"status":200}}]'],
    ['a key of the constructor', '{"constructor":{"prototype":{"steps":[200]}},"steps":[200]}'],
    ['a key that is given twice', '[{"status":200,"status":"reset"}]'],
    ['a name of ten million characters', `[{"${'a'.repeat(10_000_000)}":1}]`],
    ['a fault of ten million characters', `["${'r'.repeat(10_000_000)}"]`],
    ['a hundred thousand wrong steps', `[${'0,'.repeat(100_000)}0]`],
    ['a hundred thousand steps', `[${'503,'.repeat(100_000)}200]`],
    ['half of a character', '["\\ud800"]'],
    ['a byte order mark', '\ufeff[200]'],
    ['a zero byte', '[200]\0'],
  ])('%s', (_name, text) => {
    expectScheduleOrError(text)
  })
})
