/** What a matcher asks about did not happen, so it can say neither yes nor no; thrown in both polarities. */
export class InconclusiveError extends Error {
  override readonly name = 'InconclusiveError'
}

/** A matcher was used in a way that cannot be judged. */
export class MatcherUsageError extends Error {
  override readonly name = 'MatcherUsageError'
}
