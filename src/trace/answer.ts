import type { Attempt } from './model.js'

/** The values of one header of an answer, one per line, in order. `name` is lower case. */
export function answerHeaderLines(attempt: Pick<Attempt, 'answerHeaders'>, name: string): string[] {
  return attempt.answerHeaders.flatMap(([header, value]) => (header === name ? [value] : []))
}

/** The body of an answer as JSON, whatever its content type; null when it is none. */
export function jsonAnswerBody(attempt: Pick<Attempt, 'answerBody'>): unknown {
  if (attempt.answerBody.length === 0) return null
  try {
    return JSON.parse(new TextDecoder().decode(attempt.answerBody))
  } catch {
    return null
  }
}
