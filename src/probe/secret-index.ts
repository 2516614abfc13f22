/** Known texts are at least this long; it is the window in which a pass looks for their beginnings. */
export const LEAST_SEARCHED = 6

const SLOTS = 1 << 16

/** Many known texts, found in one pass: a recording may hold as many secrets as it has answers. */
export class SecretIndex {
  readonly #tags = new Map<string, string>()
  /** Lengths of what begins with these characters, the longest first; tokens of one kind begin alike. */
  readonly #lengths = new Map<string, readonly number[]>()
  /** Whether anything begins so: nearly every place of a text is ruled out by this alone. */
  readonly #maybe = new Uint8Array(SLOTS)

  add(spelling: string, tag: string): void {
    this.#tags.set(spelling, tag)
    this.#maybe[slotOf(spelling, 0)] = 1
    const start = spelling.slice(0, LEAST_SEARCHED)
    const lengths = this.#lengths.get(start) ?? []
    if (!lengths.includes(spelling.length)) {
      this.#lengths.set(
        start,
        [...lengths, spelling.length].sort((a, b) => b - a),
      )
    }
  }

  /** The text with each known one replaced by its tag; where several begin, the longest. */
  replace(text: string): string {
    if (this.#tags.size === 0) return text
    let done = ''
    let from = 0
    for (let at = 0; at + LEAST_SEARCHED <= text.length; at++) {
      const found = this.#maybe[slotOf(text, at)] === 0 ? undefined : this.#knownAt(text, at)
      if (found === undefined) continue
      done += text.slice(from, at) + this.#tags.get(found)
      from = at + found.length
      at = from - 1
    }
    return from === 0 ? text : done + text.slice(from)
  }

  #knownAt(text: string, at: number): string | undefined {
    for (const length of this.#lengths.get(text.slice(at, at + LEAST_SEARCHED)) ?? []) {
      const spelling = text.slice(at, at + length)
      if (this.#tags.has(spelling)) return spelling
    }
    return undefined
  }
}

const slotOf = (text: string, at: number): number =>
  (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 4) ^ (text.charCodeAt(at + 2) << 8) ^ (text.charCodeAt(at + 3) << 11)) %
  SLOTS
