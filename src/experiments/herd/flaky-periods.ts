/** Good and bad periods by turns, of exponentially distributed length: the two-state model of bursty errors (Gilbert). */
export class FlakyPeriods {
  readonly #meansMs: readonly [good: number, bad: number]
  readonly #random: () => number
  #isBad = false
  #endsAtMs = 0

  constructor({ goodMs, badMs }: { readonly goodMs: number; readonly badMs: number }, random: () => number) {
    this.#meansMs = [goodMs, badMs]
    this.#random = random
    // The first period is as likely a bad one as any moment is.
    this.#isBad = random() < badMs / (goodMs + badMs)
    this.#endsAtMs = this.#length()
  }

  /** Time must not go back from one question to the next. */
  isBad(nowMs: number): boolean {
    while (nowMs >= this.#endsAtMs) {
      this.#isBad = !this.#isBad
      this.#endsAtMs += this.#length()
    }
    return this.#isBad
  }

  #length(): number {
    return -Math.log(1 - this.#random()) * this.#meansMs[this.#isBad ? 1 : 0]
  }
}
