import type { StepIssue } from './issues.js'

/** The older JSON spelling of options, still read, never printed. */
const OLDER = {
  retry_after: 'retryAfter',
  retry_after_ms: 'retryAfterMs',
  delay_ms: 'delayMs',
  body_delay_ms: 'bodyDelayMs',
  drip_ms: 'dripMs',
  close_after: 'closeAfter',
} as const

const isOlder = (key: string): key is keyof typeof OLDER => Object.hasOwn(OLDER, key)

export interface Respelled {
  readonly step: Readonly<Record<string, unknown>>
  readonly issues: readonly StepIssue[]
  /** A path with the names that the user wrote. */
  written(path: readonly PropertyKey[]): readonly PropertyKey[]
}

/** Reads the older names as their camelCase ones. Both at once is an issue, since one of them would be lost. */
export const respell = (raw: Readonly<Record<string, unknown>>): Respelled => {
  const step: Record<string, unknown> = {}
  const issues: StepIssue[] = []
  const writtenAs = new Map<PropertyKey, string>()
  for (const key of Object.keys(raw)) {
    if (!isOlder(key)) {
      // Not an assignment: a key '__proto__' from a JSON file has to stay visible as a key, to be refused as an unknown one.
      Object.defineProperty(step, key, { value: raw[key], enumerable: true, configurable: true, writable: true })
    } else if (raw[OLDER[key]] !== undefined) {
      issues.push({ path: [key], message: `"${key}" contradicts "${OLDER[key]}": they are two spellings of one option` })
    } else {
      step[OLDER[key]] = raw[key]
      writtenAs.set(OLDER[key], key)
    }
  }
  return { step, issues, written: (path) => path.map((part, depth) => (depth === 0 ? (writtenAs.get(part) ?? part) : part)) }
}
