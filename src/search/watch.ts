import * as fc from 'fast-check'
import type { Draw, JudgedRun } from './model.js'
import { progressLine } from './progress.js'
import type { Search } from './state.js'
import { isMet, type Tally } from './tally.js'

/** The verdict of a run, on its way through fast-check. */
export class BrokenPromise extends Error {
  readonly run: JudgedRun

  constructor(run: JudgedRun) {
    super(run.broken[0]?.reasons[0]?.text)
    this.run = run
  }
}

/** The property: runs a draw, counts what it met, and fails by a broken promise. */
export class Watch {
  /** What was thrown although it is no verdict: a client that cannot be tried. */
  error: { readonly thrown: unknown } | null = null
  /** What the first failure broke: the shrinking must not slip to another bug. */
  #target: string | null = null
  readonly #one: Search
  readonly #progress: (tally: Tally) => void

  constructor(one: Search) {
    this.#one = one
    this.#progress = progressLine(one.options.onProgress, one.resolved.runs, one.elapsedMs)
  }

  async run(draw: Draw): Promise<void> {
    const { elapsedMs, resolved } = this.#one
    // Between two runs, so that none is left half done.
    if (elapsedMs() > resolved.budgetMs) throw new fc.PreconditionFailure(true)
    const run = await this.#judge(draw)
    if (run === null) return
    if (this.#target !== null) {
      const same = run.broken.filter(({ guarantee }) => guarantee === this.#target)
      if (same.length > 0)
        throw new BrokenPromise({ ...run, broken: [...same, ...run.broken.filter((other) => !same.includes(other))] })
      return
    }
    this.#count(run)
    if (run.broken[0] !== undefined) {
      this.#target = run.broken[0].guarantee
      throw new BrokenPromise(run)
    }
    fc.pre(run.verdicts.some(isMet))
  }

  /** null for a smaller run that cannot be tried: then the larger one stands. */
  async #judge(draw: Draw): Promise<JudgedRun | null> {
    try {
      return await this.#one.judge(draw)
    } catch (thrown) {
      if (this.#target !== null) return null
      this.error = { thrown }
      throw new fc.PreconditionFailure(true)
    }
  }

  #count(run: JudgedRun): void {
    const { tally, space } = this.#one
    tally.add(run, space.hintHeaders)
    this.#progress(tally)
  }
}
