import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { collect } from './collect.js'
import { renderHtml } from './html.js'
import { renderMarkdown } from './markdown.js'

export type { FailedTest, ReportData, SearchSummary, SuiteSummary } from './collect.js'

/** Where the report goes; paths are relative to the root of the project, and `false` writes none. */
export interface RetrialReporterOptions {
  /** A page of its own: no script, no network. Default 'retrial-report/index.html'. */
  readonly html?: string | false
  /** The same as data. Default false. */
  readonly json?: string | false
  /** A summary. Default: what GITHUB_STEP_SUMMARY names, which is added to; false without it. */
  readonly markdown?: string | false
}

const OPTIONS: readonly string[] = ['html', 'json', 'markdown']

/** An option of the reporter is not as expected. */
export class ReporterOptionsError extends Error {
  override readonly name = 'ReporterOptionsError'
}

/**
 * A reporter for vitest that shows what was judged: contracts, failing trials with their pictures, searches, decision tables.
 *
 * @throws {ReporterOptionsError} for an option that is unknown, or neither a path nor false
 * @example
 * // vitest.config.ts
 * export default defineConfig({ test: { setupFiles: ['retrial/setup'], reporters: ['default', 'retrial/reporter'] } })
 * // or with options: reporters: ['default', ['retrial/reporter', { html: 'out/retries.html', json: 'out/retries.json' }]]
 */
export default class RetrialReporter implements Reporter {
  readonly #options: RetrialReporterOptions
  #root = process.cwd()

  constructor(options: RetrialReporterOptions = {}) {
    for (const [name, value] of Object.entries(options)) {
      if (!OPTIONS.includes(name)) {
        throw new ReporterOptionsError(`retrial/reporter.${name}: unknown option, allowed are ${OPTIONS.join(', ')}`)
      }
      if (value !== undefined && value !== false && (typeof value !== 'string' || value === '')) {
        throw new ReporterOptionsError(`retrial/reporter.${name}: expected a path or false, received ${JSON.stringify(value)}`)
      }
    }
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { html = 'retrial-report/index.html', json = false, markdown } = this.#options
    const data = collect(modules, this.#root)
    if (html) this.#write(html, renderHtml(data))
    if (json) this.#write(json, `${JSON.stringify(data, null, 2)}\n`)
    if (markdown) this.#write(markdown, renderMarkdown(data))
    const summary = process.env.GITHUB_STEP_SUMMARY
    // Other steps and other shards write there too.
    if (markdown === undefined && summary) appendFileSync(summary, renderMarkdown(data))
  }

  #write(path: string, content: string): void {
    const file = resolve(this.#root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
