import type { Rule } from '../rules.js'

/** What a fleet of clients owes to everybody else; ids are those of the catalogue, or of the public report that shows the fault. */
export const FLEET_RULES = {
  'BUD-01': {
    level: 'must',
    source: 'Finagle, Envoy, gRPC A6',
    requirement: 'send no more requests than calls and budget allow',
  },
  'BUD-02': {
    level: 'must',
    source: 'AWS standard mode, gRPC A6',
    requirement: 'always send first tries, and retry again once the budget has refilled',
  },
  'BUD-04': {
    level: 'should',
    source: 'eng, AWS exponential backoff and jitter',
    requirement: 'do not come back together after failing together',
  },
  'BUD-05': {
    level: 'should',
    source: 'eng, metastable failures (OSDI 2022)',
    requirement: 'let the server recover once the cause is gone',
  },
  'BUD-06': { level: 'should', source: 'eng', requirement: 'do not let doomed jobs keep the others waiting' },
  'FLT-01': {
    level: 'should',
    source: 'eng, RFC 6585 §4',
    requirement: 'let a limit that one request met hold back all that share it',
  },
} as const satisfies Readonly<Record<string, Rule>>
export type FleetRuleId = keyof typeof FLEET_RULES
