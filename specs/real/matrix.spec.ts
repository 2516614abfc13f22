import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { KNOWN_CLIENTS } from '../../fixtures/clients/known/index.js'
import { from } from '../../fixtures/clients/real/load.js'
import { diffMatrices } from '../../fixtures/clients/real/matrix/diff.js'
import { diffFiles, readMatrix, writeMatrix } from '../../fixtures/clients/real/matrix/files.js'
import { toHtml } from '../../fixtures/clients/real/matrix/html.js'
import { toMarkdown } from '../../fixtures/clients/real/matrix/markdown.js'
import { measure, slim } from '../../fixtures/clients/real/matrix/measure.js'
import type { CaseCell, Cell, Column, Matrix } from '../../fixtures/clients/real/matrix/model.js'
import { GUARANTEE_IDS, type GuaranteeId } from '../../src/guarantees/model.js'

const nothing: Cell = { kind: 'not-applicable', timeline: 'nothing', cases: [] }

function column(id: string, version: string, cells: Partial<Record<GuaranteeId, Cell>>): Column {
  const all = Object.fromEntries(GUARANTEE_IDS.map((guarantee) => [guarantee, cells[guarantee] ?? nothing]))
  return { id, version, configuration: 'defaults', methods: ['GET'], cells: all as Column['cells'] }
}

const hint = (...cases: (Partial<CaseCell> & Pick<CaseCell, 'id' | 'kind'>)[]): Partial<Record<GuaranteeId, Cell>> => ({
  hint: {
    kind: cases.some(({ kind }) => kind === 'fail') ? 'fail' : 'pass',
    timeline: '0 ms #1 <- 503',
    cases: cases.map((one) => ({ call: 'GET', informational: false, text: 'a | b <c>', ...one })),
  },
})

const matrix = (...clients: Column[]): Matrix => ({
  format: 'retrial-matrix',
  version: 1,
  catalogue: 'catalogue@2026-11',
  node: '20',
  clients,
})

const before = column(
  'got',
  '14.6.6',
  hint({ id: 'RAF-01', kind: 'pass' }, { id: 'RAF-10', kind: 'fail', text: 'attempt 2 came at once' }),
)
const after = column(
  'got',
  '16.1.0',
  hint({ id: 'RAF-01', kind: 'pass' }, { id: 'RAF-10', kind: 'pass', text: 'attempt 2 came in time' }),
)

describe('the difference of two matrices', () => {
  test('names the cases whose verdict changed, and nothing else', () => {
    expect(diffMatrices(matrix(before), matrix(after))).toEqual([
      'got (14.6.6 -> 16.1.0)',
      '  hint RAF-10 GET: broken -> kept. attempt 2 came in time',
    ])
  })

  test('is empty for the same matrix', () => {
    const ky = { ...after, id: 'ky' }
    expect(diffMatrices(matrix(before, ky), matrix(before, ky))).toEqual([])
  })

  test('names clients that came and went', () => {
    const ky = column('ky', '1.14.3', {})
    const openai = column('openai', '6.49.0', {})
    expect(diffMatrices(matrix(before, ky), matrix(before, openai))).toEqual(['ky: gone', 'openai: new'])
  })

  test('compares two clients when each side has one', () => {
    expect(diffMatrices(matrix(before), matrix({ ...after, id: 'got-16' }))[0]).toBe('got -> got-16 (14.6.6 -> 16.1.0)')
  })

  test('names a case that one side does not have', () => {
    const less = column('got', '16.1.0', hint({ id: 'RAF-01', kind: 'pass' }))
    expect(diffMatrices(matrix(before), matrix(less))).toContain('  hint RAF-10 GET: broken -> not there. attempt 2 came at once')
  })
})

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const written = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    return join(folder, name)
  }

  test('are read as they were written, and compared, one client of each where it is named', () => {
    writeMatrix(folder, matrix(before, { ...after, id: 'got-16', node: '22' }))
    const file = join(folder, 'matrix.json')
    expect(readMatrix(file)).toEqual(matrix(before, { ...after, id: 'got-16', node: '22' }))
    expect(diffFiles(file, file)).toEqual([])
    expect(diffFiles(`${file}#got`, `${file}#got-16`)).toEqual([
      'got -> got-16 (14.6.6 -> 16.1.0)',
      '  hint RAF-10 GET: broken -> kept. attempt 2 came in time',
    ])
  })

  test.each<[string, () => string, string]>([
    ['that are not there', () => join(folder, 'nowhere.json'), 'but there is no such file'],
    ['that hold no JSON', () => written('text.json', '# Matrix'), 'is not valid JSON'],
    ['of something else', () => written('else.json', { attempts: [] }), '; format: Invalid input: expected "retrial-matrix"'],
    [
      'that miss a guarantee',
      () => written('less.json', matrix({ ...before, cells: { hint: nothing } as Column['cells'] })),
      '; clients.0.cells.permanence: ',
    ],
    ['of a newer format', () => written('newer.json', { ...matrix(before), version: 2 }), '; version: Invalid input: expected 1'],
  ])('%s are refused by name', (_name, file, why) => {
    const name = file()
    expect(() => readMatrix(name)).toThrow(`${name}: expected a matrix as npm run matrix writes it`)
    expect(() => readMatrix(name)).toThrow(why)
  })

  test('of two catalogues are not compared, and a client that is not in one is named', () => {
    const [old, now] = [
      written('old.json', { ...matrix(before), catalogue: 'catalogue@2026-05' }),
      written('now.json', matrix(after)),
    ]
    expect(() => diffFiles(old, now)).toThrow('is of catalogue@2026-05')
    expect(() => diffFiles(`${old}#ky`, now)).toThrow(`${old}#ky: expected one of got after #`)
  })
})

test('an adapter that is not there is named, with what is', async () => {
  await expect(from('../known/fetch.js', 'fetsch')()).rejects.toThrow(
    '../known/fetch.js: expected a function called fetsch, found plainFetch',
  )
})

test('as Markdown each client has a row with a sign for each guarantee, and what it broke', () => {
  const text = toMarkdown(matrix(before))
  const signs = GUARANTEE_IDS.map((id) => (id === 'hint' ? '✗' : '–'))
  expect(text).toContain(`| got | 14.6.6 | ${signs.join(' | ')} |`)
  expect(text).toContain('- hint: RAF-10. RAF-10 (GET): attempt 2 came at once')
})

test('as HTML each cell leads to its timeline, and what clients sent cannot break the page', () => {
  const page = toHtml(matrix(before))
  expect(page).toContain('<td class="fail"><a href="#got--hint">✗ broken</a></td>')
  expect(page).toContain('<section id="got--hint">')
  expect(page).toContain('0 ms #1 &lt;- 503')
  expect(page).not.toContain('<c>')
})

describe('a cell', () => {
  const client = (id: string) => KNOWN_CLIENTS.find((known) => known.id === id)!

  test('is broken where the client breaks the case, with its timeline', async () => {
    const { version, cells } = await measure(client('got'), 'RAF-10')
    expect(version).toBe('14.6.6')
    expect(cells.hint.kind).toBe('fail')
    expect(cells.hint.timeline).toContain('attempt 2 came 1 ms after a 503 that asked for 34.7 days')
    expect(cells.hint.cases.map(({ id, call, kind }) => [id, call, kind])).toEqual([
      ['RAF-10', 'GET', 'fail'],
      ['RAF-10', 'POST', 'inconclusive'],
    ])
  })

  test('has a timeline of its own for each call, which a matrix keeps of broken ones alone', async () => {
    const column = await measure(client('got'), 'RAF-08')
    const shown = (one: Column) => one.cells.hint.cases.map(({ call, timeline }) => [call, timeline?.includes(`→ ${call} /`)])
    expect(shown(column)).toEqual([
      ['GET', true],
      ['POST', true],
    ])
    expect(shown(slim(column))).toEqual([
      ['GET', true],
      ['POST', undefined],
    ])
  })

  test('names no folder of the machine', async () => {
    const column = await measure(client('openai'), 'BKO-03')
    expect(column.cells.leftovers.timeline).toContain('fetchWithTimeout (openai/')
    expect(JSON.stringify(column)).not.toContain(process.cwd())
  })

  test('of a deadline is for clients whose time-out is a total, which they get for it', async () => {
    const kinds: string[] = []
    for (const id of ['axios', 'ky', 'got']) kinds.push((await measure(client(id), 'DDL-07')).cells.deadline.kind)
    expect(kinds).toEqual(['pass', 'fail', 'not-applicable'])
  })

  test('is kept where the client keeps it, and other guarantees are not touched', async () => {
    const { cells } = await measure(client('axios-retry'), 'RAF-01')
    expect([cells.hint.kind, cells.permanence.kind]).toEqual(['pass', 'not-applicable'])
  })
})
