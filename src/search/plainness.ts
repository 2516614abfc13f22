import { isFault, type Step, type StepInput } from '../schedule/model.js'

/** What a step is in one word: its status, or what goes wrong instead of a plain answer. */
export function kindOfStep(step: Step): string {
  if (isFault(step)) return step.fault
  if (step.stall !== undefined || step.stream?.end === 'stall') return 'stall'
  if (step.endless) return 'endless'
  if (step.stream !== undefined) return 'stream'
  if (step.truncate !== undefined) return `truncate-${step.truncate}`
  if (step.json !== undefined) return 'malformed'
  if (step.dripMs !== undefined) return 'drip'
  return String(step.status)
}

/** From what a reader takes in at a glance to what needs an explanation. What never ends by itself comes last. */
const PLAIN_FIRST = [
  ['200', '503', '500', '502', '504', '429', '400', '404', '401', '403', '422', '409'],
  ['other status'],
  ['reset', 'close', 'refuse', 'reset-early', 'reset-headers', 'reset-body'],
  ['truncate-length', 'truncate-chunked', 'truncate-gzip', 'malformed', 'drip', 'stream', 'garbage'],
  ['hang', 'stall', 'endless', 'informational'],
].flat()

const rankOfKind = (kind: string): number => {
  const rank = PLAIN_FIRST.indexOf(kind)
  return rank >= 0 ? rank : PLAIN_FIRST.indexOf('other status')
}

/** How much there is to explain about a step; the status under a fault comes second. */
export function rankOfStep(step: Step): number {
  const status = isFault(step) ? 0 : rankOfKind(String(step.status))
  return rankOfKind(kindOfStep(step)) * PLAIN_FIRST.length + status
}

/** Steps to try in the place of another, the plainest first. */
export const PLAIN_STEPS: readonly StepInput[] = [200, 503, 500, 429, 400, 'reset', 'close', 'hang']
