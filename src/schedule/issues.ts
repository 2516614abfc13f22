import type * as z from 'zod'
import { didYouMean, show } from './words.js'

/** An issue inside one step, its path still in parts. */
export interface StepIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type Issue = z.core.$ZodIssue

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input)

/**
 * The alternative that was meant: the one whose type matched, so that its complaints lie deeper. When there is none, the union
 * speaks for itself.
 */
const meantBranch = (branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined =>
  branches.find(
    (issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'),
  )

const unknownKey = (key: string, path: readonly PropertyKey[], allowed: readonly string[]): StepIssue => ({
  path: [...path, key],
  message: `unknown key${didYouMean(key, allowed)} (allowed: ${allowed.join(', ')})`,
})

const readIssue = (issue: Issue, path: readonly PropertyKey[], input: unknown): StepIssue[] => {
  if (issue.code === 'custom') return [{ path, message: issue.message }]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, issue.message.split(', ')))
  if (issue.code === 'invalid_key') {
    const name = path.at(-1)
    return [{ path, message: `expected ${issue.issues[0]?.message}, received ${show(name)}` }]
  }
  if (issue.code === 'invalid_union') {
    const branch = meantBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => readIssue(inner, [...path, ...inner.path], input))
  }
  const value = valueAt(input, path)
  const hint = issue.code === 'invalid_value' ? didYouMean(value, issue.values.map(String)) : ''
  return [{ path, message: `expected ${issue.message}, received ${show(value)}${hint}` }]
}

/** The schema library's issues as sentences: `expected <the field's error>, received <the value>`. */
export const readIssues = (error: z.ZodError, input: unknown): StepIssue[] =>
  error.issues.flatMap((issue) => readIssue(issue, issue.path, input))
