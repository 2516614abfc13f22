interface Dispatch {
  readonly fn: () => void
  readonly order: () => number
}

/** Work that waits for a quiescent point, e.g. requests that have arrived at the same time in whatever order the kernel liked. */
export class DispatchQueue {
  readonly #waiting: Dispatch[] = []

  get size(): number {
    return this.#waiting.length
  }

  add(fn: () => void, order: () => number = () => 0): void {
    this.#waiting.push({ fn, order })
  }

  /** Runs the one with the lowest order, which is asked for only now: who the client was may not have been known before. */
  runNext(): boolean {
    if (this.#waiting.length === 0) return false
    const orders = this.#waiting.map(({ order }) => order())
    const [next] = this.#waiting.splice(orders.indexOf(Math.min(...orders)), 1)
    next!.fn()
    return true
  }

  clear(): void {
    this.#waiting.length = 0
  }
}
