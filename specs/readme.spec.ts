import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runVitest, type VitestRun } from './support/run-vitest.js'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!)

/** A fragment runs inside a test, with its imports above it. */
function asSpec(code: string): string {
  if (/\b(test|describeRetryContract)\(/.test(code)) return code
  const lines = code.split('\n')
  const isImport = (line: string) => line.startsWith('import ')
  return [
    ...lines.filter(isImport),
    "import { test } from 'vitest'",
    "test('fragment', async () => {",
    ...lines.filter((line) => !isImport(line)),
    '})',
  ].join('\n')
}

/** The client that the README's contract imports. */
const CLIENT = `
export async function patient(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init)
    const mayRepeat = init.method === 'GET' && [429, 503].includes(response.status) && attempt < 4
    if (!mayRepeat) return response
    await response.arrayBuffer()
    const hint = response.headers.get('retry-after') ?? ''
    const dueMs = Date.parse(hint + (hint.includes('GMT') ? '' : ' GMT'))
    const isDate = /^[A-Z][a-z]+,? /.test(hint) && new Date(dueMs).getUTCDate() === Number(/\\d+/.exec(hint)?.[0])
    const seconds = /^\\d+$/.test(hint) ? Number(hint) : isDate ? Math.max(0, dueMs - Date.now()) / 1000 : 1
    if (seconds > 60) throw new Error('HTTP ' + response.status + ', come back in ' + seconds + ' s')
    await new Promise<void>((resolve, reject) => {
      const stop = () => (clearTimeout(timer), reject(init.signal!.reason))
      const timer = setTimeout(() => (init.signal?.removeEventListener('abort', stop), resolve()), Math.ceil(seconds * 1000))
      init.signal?.addEventListener('abort', stop, { once: true })
    })
  }
}
`

let run: VitestRun
test('every code block of the README runs', async () => {
  const code = blocks('ts')
  expect(code.length).toBeGreaterThanOrEqual(3)
  const files = Object.fromEntries(code.map((block, i) => [`block-${i}.spec.ts`, asSpec(block)]))
  const broken = code[0]!.replace(' * 1000', '')
  expect(broken).not.toBe(code[0])
  run = await runVitest({ ...files, 'client.ts': CLIENT, 'broken.spec.ts': broken.replace("test('", "test('broken: ") })
  const failed = run.tests.filter(({ status }) => status === 'failed').map(({ name, failure }) => `${name}\n${failure}`)
  expect(failed).toHaveLength(1)
  expect(failed[0]).toContain('broken: waits as long as it is told to')
})

test('the failure that the README shows is the one that comes', () => {
  const shown = blocks('text')[0]!.trim()
  const failure = run.tests.find(({ name }) => name.startsWith('broken'))!.failure
  expect(
    failure
      .replace(/^Error: /, '')
      .split('\n    at ')[0]!
      .trim(),
  ).toBe(shown)
})
