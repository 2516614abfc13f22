import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { browserPath, startBrowser } from '../support/browser.js'
import { makeProject, startVitest } from '../support/run-vitest.js'

const START_TIMEOUT_MS = 120_000
const LOOK_TIMEOUT_MS = 60_000

const FAILING = `import { runTrial } from 'retrial'
import { faultSchedule, fc } from 'retrial/property'
import { describe, expect, test } from 'vitest'
const deaf = async (url, init) => {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(url, init)
    if (response.ok || response.status < 429 || attempt === 4) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
const early = (seconds) => runTrial(deaf, [{ status: 429, retryAfter: seconds }, 200])
const judged = [await early(41), await early(42)]
test('of a trial', async () => {
  await expect(await early(30)).toHonorRetryAfter()
})
test('negated', async () => {
  await expect(await early(1)).not.toHonorRetryAfter()
})
test('softly', async () => {
  await expect.soft(await early(31)).toHonorRetryAfter()
})
test('of a client', async () => {
  await expect(deaf).toHonorRetryAfter()
})
test('in a property', async () => {
  await fc.assert(fc.asyncProperty(faultSchedule({ maxSteps: 4 }), async (schedule) => {
    await expect(await runTrial(deaf, schedule)).toUphold({ maxAttempts: 2 })
  }), { seed: 3, numRuns: 40 })
})
describe.concurrent('at once', () => {
  for (const index of [0, 1]) {
    test('judge ' + index, async () => {
      await new Promise((resolve) => setTimeout(resolve, 100 - 100 * index))
      await expect(judged[index]).toHonorRetryAfter()
    })
  }
})
test('without a matcher', async () => {
  expect((await early(33)).statuses).toEqual([200])
})
`

/** Test -> what its one picture says. */
const PICTURES: Readonly<Record<string, string>> = {
  'of a trial': 'attempt 2 came 1 000 ms after a 429 that asked for 30 s',
  negated: 'not.toHonorRetryAfter: kept: ',
  softly: 'attempt 2 came 1 000 ms after a 429 that asked for 31 s',
  'of a client': 'toHonorRetryAfter: attempt 2 came',
  'in a property': 'toUphold: attempt 3 was one too many',
  'judge 0': 'attempt 2 came 1 000 ms after a 429 that asked for 41 s',
  'judge 1': 'attempt 2 came 1 000 ms after a 429 that asked for 42 s',
  'without a matcher': 'deaf: 2 attempts, 429, 200',
}

const executable = browserPath()
let browser: Browser | undefined
const projects: string[] = []
const children: ChildProcess[] = []
const servers: Server[] = []

function projectOf(): string {
  const project = makeProject({ 'ui.spec.ts': FAILING })
  projects.push(project)
  return project
}

beforeAll(async () => {
  if (executable !== null) browser = await startBrowser(executable)
}, START_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  for (const server of servers) server.close()
  await Promise.all(children.map(stopped))
  for (const project of projects) rmSync(project, { recursive: true, force: true })
})

function stopped(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  return gone
}

/** Waits until vitest has said both: where its UI is, and that the tests have run. */
function startUi(project: string): Promise<string> {
  const child = startVitest(project, ['--ui', '--watch', '--open=false', `--api.port=${20_000 + (process.pid % 20_000)}`])
  children.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const url = /UI started at (\S+)/.exec(output)?.[1]
      if (url !== undefined && /Tests failed/.test(output)) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('close', () => reject(new Error(`vitest ended before its UI was there:\n${output}`)))
  })
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** The html reporter writes files that a browser reads over http only. */
async function serveReport(project: string): Promise<string> {
  const child = startVitest(project, ['run', '--reporter=html', '--outputFile.html=report/index.html'])
  children.push(child)
  child.stdout.resume()
  child.stderr.resume()
  await new Promise((resolve) => child.once('close', resolve))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = join(project, 'report', path === '/' ? 'index.html' : path)
    readFile(file).then(
      (content) => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Opens a test in the list, as a person does: types its name, clicks on it. */
async function openTest(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder(/Search/).fill(name)
  await page.getByText(name, { exact: true }).first().click()
  await page.getByText('Test Annotations').first().waitFor()
}

const textOf = (source: string) => Buffer.from(source.split('base64,')[1]!, 'base64').toString()

/** The text of each SVG picture that is shown and has been drawn. */
async function picturesOn(page: Page): Promise<string[]> {
  const sources = await page.locator('img[src^="data:image/svg+xml;base64,"]').evaluateAll((images) =>
    images.map((image) => {
      const { src, naturalWidth } = image as unknown as { src: string; naturalWidth: number }
      return naturalWidth > 0 ? src : ''
    }),
  )
  return sources.map((source) => (source === '' ? 'not drawn' : textOf(source)))
}

function pageOf(context: TestContext): Promise<Page> {
  if (browser === undefined) context.skip('no Chromium here: install the package chromium, or name one in CHROMIUM')
  return browser!.newPage({ viewport: { width: 1400, height: 1400 } })
}

describe.each([
  ['vitest --ui', startUi],
  ['the html report', serveReport],
])('%s', (_, start) => {
  let url: string

  beforeAll(async () => {
    if (executable !== null) url = await start(projectOf())
  }, START_TIMEOUT_MS)

  test('every failing test shows exactly one picture: its own', { timeout: LOOK_TIMEOUT_MS }, async (context) => {
    const page = await pageOf(context)
    await page.goto(url)
    const seen: Record<string, readonly string[]> = {}
    for (const name of Object.keys(PICTURES)) {
      await openTest(page, name)
      seen[name] = await picturesOn(page)
    }
    expect(Object.entries(seen).map(([name, pictures]) => [name, pictures.length])).toEqual(
      Object.keys(PICTURES).map((name) => [name, 1]),
    )
    for (const [name, [picture]] of Object.entries(seen)) expect(picture).toContain(PICTURES[name])
  })

  test('in the code each picture stands at the line that failed', { timeout: LOOK_TIMEOUT_MS }, async (context) => {
    const page = await pageOf(context)
    await page.goto(url)
    await openTest(page, 'of a client')
    await page.getByText('Code', { exact: true }).click()
    const places = page.locator('.CodeMirror-linewidget img[src^="data:image/svg+xml"]')
    await places.first().waitFor()
    const lines = await places.evaluateAll((images) =>
      images.map((image) => {
        const { src, closest } = image as unknown as {
          src: string
          closest: (selector: string) => { parentElement: { textContent: string } }
        }
        return [src, closest.call(image, '.CodeMirror-linewidget').parentElement.textContent] as const
      }),
    )
    const lineOf = (words: string) => lines.find(([source]) => textOf(source).includes(words))?.[1]
    expect(lines.length).toBe(Object.keys(PICTURES).length)
    expect(lineOf('asked for 30 s')).toContain('await expect(await early(30)).toHonorRetryAfter()')
    expect(lineOf('asked for 2 s')).toContain('await expect(deaf).toHonorRetryAfter()')
    expect(lineOf('toUphold: attempt 3')).toContain('await expect(await runTrial(deaf, schedule)).toUphold({ maxAttempts: 2 })')
  })
})
