import { afterEach, expect, test, vi } from 'vitest'
import { progressLine } from '../../src/search/progress.js'
import { Tally } from '../../src/search/tally.js'

const { isTTY } = process.stderr
afterEach(() => {
  process.stderr.isTTY = isTTY
  vi.restoreAllMocks()
})

/** What is written when runs 1, 2, ... are done at these times. */
function written(atMs: readonly number[], terminal: boolean): readonly string[] {
  process.stderr.isTTY = terminal
  const lines: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
  let nowMs = 0
  const tell = progressLine(undefined, 4, () => nowMs)
  for (const [index, ms] of atMs.entries()) {
    nowMs = ms
    tell(Object.assign(new Tally(), { runs: index + 1 }))
  }
  return lines
}

test('a long search tells a terminal once a second how far it has come', () => {
  expect(written([400, 1_100, 1_200, 2_300], true)).toEqual(['\rsearching: 2 of 4 runs, 1 s', '\rsearching: 4 of 4 runs, 2 s\n'])
})

test('a short one says nothing, nor does any where there is no terminal', () => {
  expect(written([100, 200, 300, 400], true)).toEqual([])
  expect(written([400, 1_100, 1_200, 2_300], false)).toEqual([])
})
