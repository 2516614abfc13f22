import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { exposable } from '../../fixtures/search/exposable.js'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))

test('the table and the failures that are kept name every client that can be exposed', () => {
  const failures = readFileSync(fixture('search/failures.jsonl'), 'utf8').trimEnd().split('\n')
  const names = exposable.map(([name]) => name).sort()
  expect([...new Set(failures.map((line) => JSON.parse(line).client))].sort()).toEqual(names)
  expect(readFileSync(fixture('SEARCH-TABLE.md'), 'utf8')).toContain(
    `${names.length * 20} of ${names.length * 20} searches found the bug.`,
  )
})

// In a process of its own, as .ci/matrix does on other versions of Node.
test('every failure that is kept comes again to the letter', { timeout: 300_000 }, () => {
  const said = execFileSync(process.execPath, ['--import', 'tsx', fixture('replay-failures.ts')], { encoding: 'utf8' })
  expect(said).toMatch(/^(\d+) of \1 failures of \d+ clients come again to the letter\n$/)
})
