/** When each worker of a server is free again, and who still waits. First come, first served, so all of it is known at arrival. */
export class WorkQueue {
  /** A heap: the soonest free worker first. */
  readonly #freeAtMs: number[]
  /** Starts of accepted work, ascending. */
  readonly #startsMs: number[] = []
  #firstWaiting = 0

  constructor(capacity: number) {
    this.#freeAtMs = new Array<number>(capacity).fill(0)
  }

  nextFreeMs(): number {
    return this.#freeAtMs[0]!
  }

  hasFreeSlot(nowMs: number): boolean {
    return this.nextFreeMs() <= nowMs && this.waiting(nowMs) === 0
  }

  /** Accepted work that has not begun. */
  waiting(nowMs: number): number {
    const starts = this.#startsMs
    while (this.#firstWaiting < starts.length && starts[this.#firstWaiting]! <= nowMs) this.#firstWaiting++
    return starts.length - this.#firstWaiting
  }

  /** Gives the next free worker this work. */
  add(startMs: number, endMs: number): void {
    this.#startsMs.push(startMs)
    const heap = this.#freeAtMs
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const below = right < heap.length && heap[right]! < heap[left]! ? right : left
      if (heap[below]! >= endMs) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = endMs
  }
}
