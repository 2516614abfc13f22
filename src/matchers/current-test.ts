import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunnerTestCase } from 'vitest'

const tests = new AsyncLocalStorage<RunnerTestCase>()

/** Runs the body of a test: whatever is begun in it belongs to it, however many tests run at once. */
export const withTest = <T>(test: RunnerTestCase, run: () => T): T => tests.run(test, run)

/**
 * The test that the code is running in. vitest's own answer (`this.task` of a matcher, `TestRunner.getCurrentTest()`) names a neighbour
 * in concurrent tests, and nobody inside an asymmetric matcher.
 */
export const currentTest = (): RunnerTestCase | undefined => tests.getStore()
