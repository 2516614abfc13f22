import { show } from '../trial/client.js'

/** An experiment was asked for with options that make no sense. */
export class ExperimentOptionsError extends Error {
  override readonly name = 'ExperimentOptionsError'
}

/** What a value has to be, in words and as a test. */
export type Check = readonly [allowed: string, holds: (value: unknown) => boolean]

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

export const integer = (least: number): Check => [
  `an integer >= ${least}`,
  (value) => Number.isSafeInteger(value) && (value as number) >= least,
]
export const share: Check = ['a share from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1]
export const milliseconds: Check = ['milliseconds >= 0', (value) => Number.isFinite(value) && (value as number) >= 0]
export const positiveMs: Check = ['milliseconds > 0', (value) => Number.isFinite(value) && (value as number) > 0]
export const oneOf = (values: readonly (string | number)[]): Check => [
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(', '),
  (value) => values.includes(value as string),
]
export const flag: Check = ['true or false', (value) => typeof value === 'boolean']
export const seed: Check = ['a safe integer', (value) => Number.isSafeInteger(value)]
export const callable: Check = ['a function', (value) => typeof value === 'function']
/** `toClient` looks at clients more closely. */
export const anything: Check = ['a value', () => true]
export const object: Check = ['an object', isObject]
export const either = (...checks: readonly Check[]): Check => [
  checks.map(([allowed]) => allowed).join(' or '),
  (value) => checks.some(([, holds]) => holds(value)),
]

/**
 * Holds options against their checks.
 *
 * @throws ExperimentOptionsError naming the first wrong one: `batch(options).workers: expected an integer >= 1, received 0`
 */
export function checkOptions(place: string, given: unknown, checks: Readonly<Record<string, Check>>): void {
  if (!isObject(given)) throw new ExperimentOptionsError(`${place}: expected an object, received ${show(given)}`)
  for (const [name, value] of Object.entries(given as object)) {
    const check = checks[name]
    if (check === undefined) {
      throw new ExperimentOptionsError(`${place}.${name}: unknown option, allowed are ${Object.keys(checks).join(', ')}`)
    }
    if (value !== undefined && !check[1](value)) {
      throw new ExperimentOptionsError(`${place}.${name}: expected ${check[0]}, received ${show(value)}`)
    }
  }
}

/** For options without a default. */
export function requireOptions(
  place: string,
  given: object,
  required: readonly string[],
  checks: Readonly<Record<string, Check>>,
): void {
  for (const name of required) {
    if ((given as Record<string, unknown>)[name] === undefined) {
      throw new ExperimentOptionsError(`${place}.${name}: expected ${checks[name]![0]}, received undefined`)
    }
  }
}
