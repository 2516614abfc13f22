import type { Attempt } from '../trace/model.js'

export type MutableAttempt = { -readonly [Field in keyof Attempt]: Attempt[Field] }

/** The record of one attempt while it is being written; the outside sees snapshots only. */
export class AttemptRecord {
  readonly attempt: MutableAttempt
  #body: Uint8Array[] = []

  constructor(attempt: MutableAttempt) {
    this.attempt = attempt
  }

  appendBody(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#body.push(bytes)
  }

  snapshot(): Attempt {
    if (this.#body.length > 1) this.#body = [Buffer.concat(this.#body)]
    return { ...this.attempt, answerBody: this.#body[0] ?? this.attempt.answerBody }
  }
}
