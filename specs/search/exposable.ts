import { wrong } from '../../fixtures/clients/index.js'

/**
 * Wrong clients that no single run can expose, and why. Written down before the search existed; everything else in the kill matrix has to
 * be found.
 */
export const NOT_EXPOSABLE: Readonly<Record<string, string>> = {
  'no-jitter': 'each single wait lies in the declared band; only many clients side by side show that all wait alike',
  'shared-seed': 'each single wait lies in the declared band; only many clients side by side show that all wait alike',
  'splices-versions': 'the answers have to depend on Range and If-Range, which a list of steps cannot',
}

/** The wrong clients that a schedule and a way to call can expose. */
export const exposable = Object.entries(wrong).filter(([name]) => !(name in NOT_EXPOSABLE))
