import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { REAL_CLIENTS } from '../../fixtures/clients/real/index.js'
import { diffMatrices } from '../../fixtures/clients/real/matrix/diff.js'
import { measure } from '../../fixtures/clients/real/matrix/measure.js'
import type { Matrix } from '../../fixtures/clients/real/matrix/model.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Exit {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function matrixCommand(...args: string[]): Promise<Exit> {
  const command = ['--import', 'tsx', 'fixtures/clients/real/matrix.ts', ...args]
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, command, { cwd: ROOT })) }
  } catch (error) {
    return error as Exit
  }
}

async function matrixOf(id: string): Promise<Matrix> {
  const column = await measure(REAL_CLIENTS.find((client) => client.id === id)!)
  return { format: 'retrial-matrix', version: 1, catalogue: 'catalogue', node: '20', clients: [column] }
}

/** Which cases changed, and how. */
async function changes(before: string, after: string): Promise<readonly string[]> {
  const lines = diffMatrices(await matrixOf(before), await matrixOf(after))
  return lines.slice(1).map((line) => line.trim().split('. ')[0]!)
}

describe('two versions of one client differ in what their authors changed', () => {
  test('got 14 -> 16: hints that are negative, or longer than a timer holds', async () => {
    expect(await changes('got', 'got-16')).toEqual(['hint RAF-08 GET: broken -> kept', 'hint RAF-10 GET: broken -> kept'])
  })

  test('got 14 -> 15, p-retry 7 -> 9: nothing of this', async () => {
    expect(await changes('got', 'got-15')).toEqual([])
    expect(await changes('p-retry', 'p-retry-9')).toEqual([])
  })

  test('openai 6 -> 7: hints that cannot be read, aborts and listeners are mended; a wait of two minutes is no longer kept', async () => {
    const both = (text: string) => ['GET', 'POST'].map((call) => text.replace(':', ` ${call}:`))
    expect(await changes('openai', 'openai-7')).toEqual([
      ...both('hint RAF-07: broken -> kept'),
      ...both('hint RAF-08: broken -> kept'),
      ...both('hint RAF-11: kept -> broken'),
      ...both('abort DDL-04: broken -> kept'),
      ...both('leftovers BKO-03: broken -> kept'),
      ...both('leftovers DDL-10: broken -> kept'),
    ])
  })
})

describe('npm run matrix', () => {
  test('shows one cell again, with the timeline of each of its calls', async () => {
    const { code, stdout } = await matrixCommand('--client', 'got', '--case', 'raf-08')
    expect(code).toBe(0)
    expect(stdout).toContain('got 14.6.6, GET\nRAF-08: attempt 2 came 1 ms after a 503 with retry-after: -5')
    expect(stdout).toContain('0 ms  #1 ← 503     Retry-After: -5')
    expect(stdout).toContain('got 14.6.6, POST\ninconclusive: the client gave up after a 503 with retry-after: -5')
  })

  test.each([
    [['--client', 'got', '--case', 'RAF-99'], '--case RAF-99: expected one of CLS-01, '],
    [['--client', 'gott'], '--client gott: expected one of fetch, '],
    [['--diff', 'a.json'], '--diff: expected two files, received 1'],
    [['--diff', 'nowhere.json', 'nowhere.json'], 'nowhere.json: expected a matrix as npm run matrix writes it, but there is no'],
    [['--node', 'nowhere', '--client', 'got'], '--node nowhere: expected the path of a Node to run'],
    [['got'], 'got: expected options only'],
    [['--clients', 'got'], "Unknown option '--clients'"],
  ])('%j is refused with what is allowed', async (args, message) => {
    const { code, stderr } = await matrixCommand(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('npm run matrix -- --diff a.json b.json')
  })
})
