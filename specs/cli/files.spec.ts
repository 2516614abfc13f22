import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/cli/exit.js'
import { writeWhole } from '../../src/cli/files.js'
import { folder } from './support.js'

test('a file is replaced as a whole, and nothing is left beside it', () => {
  const cwd = folder()
  writeWhole('report.json', 'first', { cwd })
  writeWhole('report.json', 'second', { cwd })
  expect([readdirSync(cwd), readFileSync(join(cwd, 'report.json'), 'utf8')]).toEqual([['report.json'], 'second'])
})

test('what a killed process left is taken away; what a running one is writing stays', () => {
  const cwd = folder()
  const { pid: gone } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(cwd, `.report.json.${gone}.tmp`), 'ha')
  writeFileSync(join(cwd, `.report.json.${process.ppid}.tmp`), 'ha')
  writeWhole('report.json', 'whole', { cwd })
  expect(readdirSync(cwd).sort()).toEqual([`.report.json.${process.ppid}.tmp`, 'report.json'])
})

test('a place that cannot be written to is named', () => {
  expect(() => writeWhole('no/such/folder.json', '', { cwd: folder() })).toThrow(
    new UsageError('cannot write no/such/folder.json: there is no such file or folder'),
  )
})
