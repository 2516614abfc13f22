/** What is due at a moment of virtual time. */
export interface HeapEntry {
  dueAtMs: number
  /** Arming order: the tie-breaker, as in Node's own lists. */
  sequence: number
  /** Place in the heap; -1 while not in it. */
  heapIndex: number
}

const isEarlier = (a: HeapEntry, b: HeapEntry): boolean =>
  a.dueAtMs < b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.sequence < b.sequence)

/** A binary heap that knows where each entry is, so that cancelling costs no search. */
export class TimerHeap<T extends HeapEntry> {
  readonly #entries: T[] = []

  get first(): T | undefined {
    return this.#entries[0]
  }

  /** All entries, soonest first. */
  inOrder(): T[] {
    return [...this.#entries].sort((a, b) => (isEarlier(a, b) ? -1 : 1))
  }

  add(entry: T): void {
    this.#place(entry, this.#entries.length)
    this.#moveUp(entry)
  }

  remove(entry: T): void {
    const index = entry.heapIndex
    if (index < 0) return
    entry.heapIndex = -1
    const last = this.#entries.pop()!
    if (last === entry) return
    this.#place(last, index)
    this.#moveUp(last)
    this.#moveDown(last)
  }

  clear(): T[] {
    const entries = this.inOrder()
    for (const entry of entries) entry.heapIndex = -1
    this.#entries.length = 0
    return entries
  }

  #place(entry: T, index: number): void {
    this.#entries[index] = entry
    entry.heapIndex = index
  }

  #moveUp(entry: T): void {
    let index = entry.heapIndex
    while (index > 0) {
      const above = this.#entries[(index - 1) >> 1]!
      if (!isEarlier(entry, above)) break
      const aboveIndex = above.heapIndex
      this.#place(above, index)
      index = aboveIndex
    }
    this.#place(entry, index)
  }

  #moveDown(entry: T): void {
    let index = entry.heapIndex
    for (;;) {
      const left = this.#entries[2 * index + 1]
      if (left === undefined) break
      const right = this.#entries[2 * index + 2]
      const below = right !== undefined && isEarlier(right, left) ? right : left
      if (!isEarlier(below, entry)) break
      const belowIndex = below.heapIndex
      this.#place(below, index)
      index = belowIndex
    }
    this.#place(entry, index)
  }
}
