/** A probe that cannot be made: bad options, an endpoint that cannot be reached at all. Never a verdict. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}
