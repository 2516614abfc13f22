import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** Folder -> folders it may import from. The picture of the architecture, held to. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  schedule: [],
  clock: [],
  trace: ['schedule', 'clock'],
  server: ['schedule', 'clock', 'trace'],
  guarantees: ['schedule', 'trace'],
  report: ['schedule', 'trace', 'guarantees'],
  trial: ['schedule', 'clock', 'trace', 'server', 'report'],
  cases: ['schedule', 'trace', 'guarantees', 'trial'],
  search: ['schedule', 'clock', 'trace', 'guarantees', 'trial', 'cases', 'report'],
  matchers: ['schedule', 'trace', 'guarantees', 'report', 'trial', 'cases', 'search'],
  contract: ['schedule', 'trace', 'guarantees', 'report', 'trial', 'cases'],
  property: ['schedule', 'trace', 'guarantees', 'report', 'trial', 'search'],
  probe: ['schedule', 'clock', 'trace', 'server', 'guarantees', 'report', 'trial'],
  experiments: ['schedule', 'clock', 'trace', 'server', 'guarantees', 'report', 'trial'],
  reporter: ['schedule', 'trace', 'guarantees', 'report'],
}

/** Packages that only the named folders may import; `type` imports count too. */
const PACKAGES: Record<string, readonly string[]> = {
  vitest: ['matchers', 'contract', 'reporter', 'cli', 'setup.ts', 'test.ts', 'property'],
  'fast-check': ['search', 'property', 'setup.ts'],
  'node:http': ['server', 'clock', 'probe'],
  'node:net': ['server', 'clock', 'probe', 'trial'],
  nock: ['server'],
}

interface Import {
  readonly file: string
  readonly from: string
}

const files = walk(SRC)
const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({ file, from: match[1]! })),
)

test('a folder imports only from the folders below it', () => {
  const wrong = imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ file, from }) => ({ file: name(file), room: room(file), target: room(resolve(dirname(file), from)) }))
    .filter(({ room: here, target }) => here in MAY_IMPORT && here !== target && !MAY_IMPORT[here]!.includes(target))
  expect(wrong).toEqual([])
})

test('every folder of src has its place in the picture', () => {
  const folders = readdirSync(SRC).filter((entry) => statSync(join(SRC, entry)).isDirectory())
  expect(folders.filter((folder) => !(folder in MAY_IMPORT) && folder !== 'cli')).toEqual([])
})

test('vitest, fast-check and the network stay in their rooms', () => {
  const wrong = imports.filter(({ file, from }) => {
    const allowed = PACKAGES[from]
    return allowed !== undefined && !allowed.includes(room(file))
  })
  expect(wrong.map(({ file, from }) => `${name(file)} imports ${from}`)).toEqual([])
})

test('only the clock reads time or waits', () => {
  const READS = /\b(Date\.now|performance\.now|setTimeout|setInterval|setImmediate|process\.hrtime|timers\/promises)\b/
  const wrong = files
    .filter((file) => room(file) !== 'clock')
    .flatMap((file) => code(file).flatMap((line, i) => (READS.test(line) ? [`${name(file)}:${i + 1} ${line.trim()}`] : [])))
  expect(wrong).toEqual([])
})

test('rooms are small', () => {
  const large = files
    .map((file) => [name(file), readFileSync(file, 'utf8').split('\n').length] as const)
    .filter(([, lines]) => lines > 350)
  expect(large).toEqual([])
})

/** Lines with comments blanked, so that examples in docstrings do not count. */
function code(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .split('\n')
    .map((line) => line.replace(/(^|\s)\/\/.*$/, ''))
    .map((line) => line.replace(/'[^']*'|`[^`]*`/g, "''"))
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : entry.name.endsWith('.ts') ? [path] : []
  })
}

function room(path: string): string {
  return relative(SRC, path).split('/')[0]!
}

function name(path: string): string {
  return `src/${relative(SRC, path)}`
}
