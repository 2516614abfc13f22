import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'

/** Refuses what is no number of attempts. */
export function checkAttempts(matcher: string, attempts: number): void {
  if (Number.isInteger(attempts) && attempts >= 1) return
  throw new MatcherUsageError(`${matcher}(attempts): expected an integer >= 1 (the first try counts), received ${show(attempts)}`)
}
