import { readdirSync, readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderSvg } from '../../src/report/svg.js'
import { browserPath, startBrowser } from '../support/browser.js'
import { oddTrials } from '../support/odd-trials.js'

const golden = new URL('../../fixtures/golden/', import.meta.url)
const pictures = [
  ...readdirSync(golden).map((name) => [name, readFileSync(new URL(name, golden), 'utf8')] as const),
  ...oddTrials.map(({ name, trial, options }) => [name, renderSvg(trial, options)] as const),
]

interface Box {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const executable = browserPath()
let browser: Browser | undefined

beforeAll(async () => {
  if (executable !== null) browser = await startBrowser(executable)
}, 60_000)
afterAll(() => browser?.close())

const overlap = (a: Box, b: Box) =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1 &&
  // Ascent and descent of a line may touch those of the next: no letter does.
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 4

describe('as Chromium draws it', () => {
  test.for(pictures)('%s has no words that are cut off or lie on others', { timeout: 30_000 }, async ([, svg], context) => {
    if (browser === undefined) context.skip('no Chromium here: install the package chromium, or name one in CHROMIUM')
    const page = await browser!.newPage()
    // As a document of its own: what is not well-formed is an error page without any of this.
    await page.goto(`data:image/svg+xml,${encodeURIComponent(svg)}`)
    const boxes: Box[] = await page.locator('svg.retrial-timeline > text').evaluateAll((texts) =>
      texts.map((text) => {
        const shape = text as unknown as { textContent: string; getBBox(): Omit<Box, 'text'> }
        const { x, y, width, height } = shape.getBBox()
        return { text: shape.textContent, x, y, width, height }
      }),
    )
    await page.close()
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
    expect(boxes.length).toBeGreaterThan(2)
    expect(boxes.filter((box) => box.x < 0 || box.x + box.width > width! || box.y + box.height > height!)).toEqual([])
    expect(boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b) => (overlap(a, b) ? [[a.text, b.text]] : [])))).toEqual([])
  })
})
