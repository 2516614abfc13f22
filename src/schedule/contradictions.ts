import type { StepIssue } from './issues.js'
import { FAULT_KEYS, RESPONSE_KEYS } from './schema.js'

type RawStep = Readonly<Record<string, unknown>>

/** Two options that cannot both be played, and why. */
const CLASHES: readonly (readonly [string, string, string])[] = [
  ['truncate', 'stall', 'half a body is followed by a close or by silence, not both'],
  ['dripMs', 'truncate', 'a cut body is sent in one piece'],
  ['endless', 'truncate', 'a body without an end has no half'],
  ['stream', 'body', 'an answer has one body'],
  ['stream', 'truncate', 'use stream.end'],
  ['stream', 'stall', 'use stream.end'],
  ['stream', 'dripMs', 'use delayMs of the events'],
  ['json', 'body', 'the malformed body is made by the server'],
  ['json', 'stream', 'an answer has one body'],
]

/** RFC 9110 §15.3.5, §15.3.6, §15.4.5: these answers have no content. */
const BODILESS: readonly unknown[] = [204, 205, 304]
const BODY_OPTIONS = ['body', 'stream', 'json', 'truncate', 'dripMs', 'bodyDelayMs'] as const

const HEADER_OPTIONS = { 'retry-after': 'retryAfter', 'retry-after-ms': 'retryAfterMs' } as const

const has = (step: RawStep, key: string): boolean => step[key] !== undefined
const refuse = (key: string, other: string, why: string): StepIssue => ({
  path: [key],
  message: `"${key}" contradicts "${other}": ${why}`,
})

const headerNames = (step: RawStep): readonly string[] =>
  typeof step.headers === 'object' && step.headers !== null ? Object.getOwnPropertyNames(step.headers) : []

const headerClashes = (step: RawStep): StepIssue[] => {
  const issues: StepIssue[] = []
  const seen = new Map<string, string>()
  for (const name of headerNames(step)) {
    // The schema library passes over this name in silence.
    if (name === '__proto__') issues.push({ path: ['headers', name], message: 'not allowed as a header name' })
    const lower = name.toLowerCase()
    const option = HEADER_OPTIONS[lower as keyof typeof HEADER_OPTIONS]
    if (option !== undefined && has(step, option)) {
      issues.push({ path: ['headers', name], message: `the header "${name}" contradicts "${option}": give one of them` })
    }
    const twin = seen.get(lower)
    if (twin !== undefined)
      issues.push({ path: ['headers', name], message: `the same header as "${twin}"; write one name with a list` })
    seen.set(lower, name)
  }
  return issues
}

const faultClashes = (step: RawStep): StepIssue[] =>
  RESPONSE_KEYS.filter((key) => has(step, key) && !FAULT_KEYS.includes(key)).map((key) =>
    refuse(key, 'fault', `a fault is no answer; it takes ${FAULT_KEYS.slice(1).join(', ')}`),
  )

/** What the schema of single fields cannot see: options that exclude one another, each named with the other. */
export const contradictions = (step: RawStep): StepIssue[] => {
  if (has(step, 'fault')) return faultClashes(step)
  const issues = CLASHES.filter(([key, other]) => has(step, key) && has(step, other)).map(([key, other, why]) =>
    refuse(key, other, why),
  )
  // With no time between the bytes, an endless body would never let the clock move.
  if (step.endless === true && (!has(step, 'dripMs') || step.dripMs === 0)) {
    issues.push({ path: ['endless'], message: '"endless" needs "dripMs" above 0: a body without an end is dripped' })
  }
  if (BODILESS.includes(step.status)) {
    const options = [...BODY_OPTIONS.filter((key) => has(step, key)), ...(step.stall === 'body' ? ['stall'] : [])]
    issues.push(...options.map((key) => refuse(key, `status ${step.status}`, 'such an answer has no body')))
  }
  return [...issues, ...headerClashes(step)]
}
