import type { RunnerTestCase } from 'vitest'

/** Whether a test that has failed by now will be reported as failed: not if it is to fail, nor if it is going to be tried again. */
export function isFinalFailure({ result, fails, retry }: RunnerTestCase): boolean {
  if (result?.state !== 'fail' || fails === true) return false
  const { count = 0, condition } = typeof retry === 'object' ? retry : { count: retry }
  if ((result.retryCount ?? 0) >= count) return true
  const message = result.errors?.at(-1)?.message ?? ''
  // What a function says is known to the runner only: better a picture beside a test that then passes than a failure without one.
  return condition !== undefined && !(condition instanceof RegExp && condition.test(message))
}
