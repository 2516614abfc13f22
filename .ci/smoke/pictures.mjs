// Runs failing.js as its user would and reads the report: one picture for each failing judgement, none beside a test that passes.
import { deepStrictEqual, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=failing.config.js']
const { stdout, stderr } = spawnSync(process.execPath, vitest, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
const report = JSON.parse(readFileSync('retrial-report/report.json', 'utf8'))

const SAYS = {
  'of a trial': /asked for 30 s/,
  negated: /not\.toHonorRetryAfter: kept/,
  softly: /asked for 31 s/,
  'of a client': /toHonorRetryAfter: attempt 2 came/,
  asymmetric: /asked for 32 s/,
  'in a property': /toUphold: attempt 3 was one too many/,
  'at once > judge 0': /asked for 41 s/,
  'at once > judge 1': /asked for 42 s/,
  'without a matcher': /deaf: 2 attempts/,
  'of a fixture': /asked for 34 s/,
}

const plain = report.failures.filter(({ name }) => !name.startsWith('contract > '))
deepStrictEqual(plain.map(({ name }) => name).sort(), Object.keys(SAYS).sort(), `${stdout}\n${stderr}`.slice(-4000))
for (const { name, pictures, line } of report.failures) {
  deepStrictEqual([name, pictures.length, typeof line], [name, 1, 'number'])
  if (name in SAYS) match(pictures[0], SAYS[name])
}
ok(report.suites.length === 1 && report.failures.length > plain.length)
for (const { pictures } of report.failures) ok(readFileSync('retrial-report/index.html', 'utf8').includes(pictures[0]))
console.log(`${report.failures.length} failing tests, a picture each`)
