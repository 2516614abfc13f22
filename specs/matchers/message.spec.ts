import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { judge } from '../../src/guarantees/judge.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { failureMessage, toTerminal } from '../../src/matchers/message.js'
import { trialOf } from '../support/make-trial.js'

const MESSAGE = `toHonorRetryAfter: attempt 2 came 512 ms after a 429 that asked for 30 s

  rule      RAF-01 (must): do not come back before Retry-After has passed
  received  gap = 512 ms

     0 ms  #1 ← 429      Retry-After: 30
   512 ms  #2 → POST /   key k-1          ✗ 29 488 ms too early
 9 512 ms  resolved 200`

const RED = '\u001b[31m'
const DIM = '\u001b[2m'

beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'FORCE_TTY', 'RETRIAL_ASCII', 'RETRIAL_COLUMNS']) vi.stubEnv(name, '')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** The lines that hold an escape sequence, with what it is. */
const painted = (text: string) =>
  text.split('\n').flatMap((line, i) => (line.includes(RED) ? [[i, 'red']] : line.includes(DIM) ? [[i, 'dim time']] : []))

describe('colour', () => {
  test('is for a terminal only: the broken line red, other times dim, the first line as it is', () => {
    vi.stubEnv('FORCE_TTY', 'true')
    expect(painted(toTerminal(MESSAGE))).toEqual([
      [5, 'dim time'],
      [6, 'red'],
      [7, 'dim time'],
    ])
  })

  test('is forbidden by NO_COLOR, on a terminal too', () => {
    vi.stubEnv('FORCE_TTY', 'true')
    vi.stubEnv('NO_COLOR', '1')
    expect(toTerminal(MESSAGE)).toBe(MESSAGE)
  })

  test('is forced by FORCE_COLOR, and forbidden by FORCE_COLOR=0', () => {
    vi.stubEnv('FORCE_COLOR', '1')
    expect(toTerminal(MESSAGE)).toContain(RED)
    vi.stubEnv('FORCE_TTY', 'true')
    vi.stubEnv('FORCE_COLOR', '0')
    expect(toTerminal(MESSAGE)).toBe(MESSAGE)
  })
})

test('RETRIAL_ASCII=1 spells everything in ASCII, and the broken line is still red', () => {
  vi.stubEnv('RETRIAL_ASCII', '1')
  vi.stubEnv('FORCE_TTY', 'true')
  const lines = toTerminal(MESSAGE).split('\n')
  expect(lines[6]).toBe(`${RED}   512 ms  #2 -> POST /   key k-1          x 29 488 ms too early\u001b[39m`)
  expect(lines[5]).toBe(`${DIM}     0 ms\u001b[22m  #1 <- 429      Retry-After: 30`)
})

test.each([
  ['60', 60],
  ['', 100],
  ['12', 100],
  ['wide', 100],
  ['500', 100],
])('RETRIAL_COLUMNS=%s gives lines of %d columns at most', (asked, columns) => {
  vi.stubEnv('RETRIAL_COLUMNS', asked)
  const long = { path: `/${'x'.repeat(200)}`, key: 'k'.repeat(200), attempts: [{ status: 404 }, { at: 500, status: 200 }] }
  const trial = trialOf(long)
  const [verdict] = judge([trial], resolveContract({}), ['permanence'])
  const lines = failureMessage('toNotRetryPermanent', verdict!, [trial]).split('\n')
  const shown = lines.filter((line) => !/^ {2}(replay|options) /.test(line))
  expect(Math.max(...shown.map((line) => line.length))).toBe(columns)
})

describe('the failures of all matchers', () => {
  const folder = new URL('./failures/', import.meta.url)
  const texts = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)
  /** What is there to be pasted must not be broken. */
  const isPasted = (line: string) => /^ {2}(replay|options) /.test(line)

  test.for(texts)('%s fits 100 columns', ([, text]) => {
    expect(text.split('\n').filter((line) => line.length > 100 && !isPasted(line))).toEqual([])
  })

  test.for(texts)('%s has ten lines at most before the timeline', ([, text]) => {
    const parts = text.split(/^(?=\w*Error$)/m)
    const linesBefore = parts.map((part) => part.split('\n').findIndex((line) => /^ *\d[\d ]* ms {2}/.test(line)))
    // The name of the error, in a line of its own here, comes on top.
    expect(Math.max(...linesBefore)).toBeLessThanOrEqual(11)
  })
})
