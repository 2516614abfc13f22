import { expect, test } from 'vitest'
import { columnsOf, formatDuration, formatMs, formatNumber, oneLine, plural, toAscii, truncate } from '../../src/report/text.js'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1 000'],
  [29_488, '29 488'],
  [2_592_000_000, '2 592 000 000'],
  [-1500, '-1 500'],
  [999.6, '1 000'],
])('%d is written %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
  expect(formatMs(value)).toBe(`${text} ms`)
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [1500, '1.5 s'],
  [1512, '1 512 ms'],
  [30_000, '30 s'],
  [29_488, '29 488 ms'],
  [90_000, '1.5 min'],
  [93_000, '93 s'],
  [3_600_000, '1 h'],
  [3_601_000, '3 601 s'],
  [5_400_000, '1.5 h'],
  [2_592_000_000, '720 h'],
])('the duration %d ms is %s: the largest unit that loses nothing', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('milliseconds below ten keep a digit, here and in verdicts', () => {
  expect([formatMs(0.34), formatMs(9.96), formatMs(10.4)]).toEqual(['0.3 ms', '10 ms', '10 ms'])
})

test('counts agree with their noun', () => {
  expect([plural(1, 'attempt'), plural(0, 'attempt'), plural(2000, 'reply', 'replies')]).toEqual([
    '1 attempt',
    '0 attempts',
    '2 000 replies',
  ])
})

test('a text of several lines with colours becomes one plain line', () => {
  expect(oneLine('\u001b[31mfailed\u001b[0m\n    at  x\r\n')).toBe('[31mfailed [0m at  x')
})

test('a text that is too long shows that it was cut', () => {
  expect([truncate('abcdef', 6), truncate('abcdefg', 6), truncate('abcdefg', 6, '...')]).toEqual(['abcdef', 'abcde…', 'abc...'])
})

test('a cut falls between characters, and counts columns', () => {
  expect([truncate('ab🚀cd', 5), truncate('注文する', 5), truncate('👩‍💻👩‍💻👩‍💻', 5)].map(columnsOf)).toEqual([5, 5, 5])
  expect(truncate('🚀'.repeat(9), 4)).toBe('🚀…')
  expect(truncate('x'.repeat(1_000_000), 3)).toBe('xx…')
})

test.each([
  ['abc', 3],
  ['#1 → ✗ …', 8],
  ['注文', 4],
  ['e\u0301', 1],
])('%s takes %d columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns)
})

test('ASCII replaces what has a likeness and marks what has none', () => {
  expect(toAscii('#1 → ← ✗ … ≥ 1 · é\n')).toBe('#1 -> <- x ... >= 1 - ?\n')
})
