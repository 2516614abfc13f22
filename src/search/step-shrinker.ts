import { type HeaderValue, isFault, type RetryAfter, type Step, type StepInput } from '../schedule/model.js'
import { parseStep } from '../schedule/parse.js'
import { shortest } from '../schedule/print.js'
import { numberSize, rounder } from './numbers.js'
import { PLAIN_STEPS, rankOfStep } from './plainness.js'
import type { Size } from './shrinking.js'

/** Anything that holds options of a step. */
type Fields = object

const TRUNCATIONS = ['length', 'chunked', 'gzip']
/** Characters of a body that weigh as much as one option. */
const BODY_UNIT = 100
const UNREADABLE = 10

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every number in a value, however deep. */
const numbersIn = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []

/** How much one option adds to what has to be understood. */
function complexity(name: string, value: unknown): number {
  if (name === 'headers' && isObject(value)) return 2 * Object.keys(value).length
  if (name === 'body') return 2 + JSON.stringify(value).length / BODY_UNIT
  if (name === 'truncate') return 1 + TRUNCATIONS.indexOf(value as string)
  if (name === 'stream') return 2 + JSON.stringify(value).length / BODY_UNIT
  if (name === 'retryAfter' && typeof value === 'string') return UNREADABLE + value.length
  return 1 + (isObject(value) ? Object.keys(value).length : 0)
}

/** Options by number and kind, then how round their numbers are, then how high. */
export function sizeOfFields(fields: Fields): Size {
  const options = Object.entries(fields).filter(([name]) => name !== 'status' && name !== 'fault')
  const sizes = options.flatMap(([name, value]) => (name === 'body' ? [] : numbersIn(value))).map(numberSize)
  const sum = (part: number) => sizes.reduce((total, size) => total + size[part]!, 0)
  return [options.reduce((total, [name, value]) => total + complexity(name, value), 0), sum(0), sum(1)]
}

/** Options with one fewer, or one in a plainer form. */
export function* plainerFields<T extends Fields>(fields: T): Iterable<T> {
  const names = Object.keys(fields).filter((name) => name !== 'status' && name !== 'fault')
  for (const name of names) {
    const { [name as keyof T]: _, ...rest } = fields
    yield rest as unknown as T
  }
  for (const name of names) {
    for (const value of plainerOption(name, fields[name as keyof T])) yield { ...fields, [name]: value }
  }
}

function* plainerOption(name: string, value: unknown): Iterable<unknown> {
  if (typeof value === 'number') yield* rounder(value)
  else if (name === 'retryAfter') yield* plainerRetryAfter(value as RetryAfter)
  else if (name === 'truncate') yield* TRUNCATIONS.slice(0, TRUNCATIONS.indexOf(value as string))
  else if (name === 'headers' || name === 'stream') yield* plainerObject(value as Record<string, HeaderValue>)
}

function* plainerRetryAfter(value: RetryAfter): Iterable<RetryAfter> {
  if (typeof value === 'string') {
    yield* [1, 'soon', '-5']
  } else if (typeof value === 'object') {
    if (value.date >= 0) yield value.date
    yield { date: value.date }
    for (const date of rounder(value.date)) yield { ...value, date }
  }
}

/** One member fewer, one item of a list fewer or plainer, or a rounder number in one of them. */
function* plainerObject(value: Readonly<Record<string, unknown>>): Iterable<unknown> {
  for (const name of Object.keys(value)) {
    const { [name]: member, ...rest } = value
    yield rest
    if (Array.isArray(member)) for (const list of plainerList(member)) yield { ...value, [name]: list }
    if (isObject(member)) for (const plainer of plainerObject(member)) yield { ...value, [name]: plainer }
    if (typeof member === 'number') for (const number of rounder(member)) yield { ...value, [name]: number }
  }
}

function* plainerList(list: readonly unknown[]): Iterable<readonly unknown[]> {
  for (const index of list.keys()) yield list.toSpliced(index, 1)
  for (const [index, item] of list.entries()) {
    if (isObject(item)) for (const plainer of plainerObject(item)) yield list.with(index, plainer)
  }
}

/** A step as an object, whatever its notation. */
export const asStep = (input: StepInput): Step =>
  typeof input === 'number' ? { status: input } : typeof input === 'string' ? { fault: input } : input

export const sizeOfStep = (input: StepInput): Size => {
  const step = asStep(input)
  return [rankOfStep(step), ...sizeOfFields(step)]
}

/** Plainer kinds first, with the step's own options where they go together, then fewer options. Only steps that can be played. */
export function* plainerSteps(input: StepInput): Iterable<StepInput> {
  const step = asStep(input)
  for (const plain of PLAIN_STEPS.map(asStep)) {
    yield shortest(plain)
    if (isFault(plain) === isFault(step)) yield* playable({ ...step, ...plain })
  }
  for (const plainer of plainerFields(step)) yield* playable(plainer)
}

function playable(step: Step): StepInput[] {
  try {
    return [shortest(parseStep(step))]
  } catch {
    return []
  }
}
