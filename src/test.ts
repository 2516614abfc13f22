import { test as base } from 'vitest'
import { withTest } from './matchers/current-test.js'
import type { ScheduleInput } from './schedule/model.js'
import type { Trial } from './trace/model.js'
import type { ClientInput, TrialOptions } from './trial/model.js'
import { runTrial } from './trial/run-trial.js'
import { type ServeOptions, type Serving, serve } from './trial/serve.js'

/** What a test of 'retrial/test' is given. */
export interface RetrialFixtures {
  /** `runTrial`, bound to the test: its trial is shown beside this test and no other. */
  readonly trial: (client: ClientInput, schedule: ScheduleInput, options?: TrialOptions) => Promise<Trial>
  /** `serve`, closed when the test is over. */
  readonly serve: (schedule: ScheduleInput, options?: ServeOptions) => Promise<Serving>
}

/**
 * vitest's `test` with `trial` and `serve` as fixtures.
 *
 * @example
 * import { test } from 'retrial/test'
 * test('waits as long as it is told to', async ({ trial, expect }) => {
 *   await expect(await trial(client, [{ status: 429, retryAfter: 30 }, 200])).toHonorRetryAfter()
 * })
 */
export const test = base.extend<RetrialFixtures>({
  trial: async ({ task }, use) => {
    await use((...args) => withTest(task, () => runTrial(...args)))
  },
  serve: async ({ task }, use) => {
    const servers: Serving[] = []
    await use(async (...args) => {
      const server = await withTest(task, () => serve(...args))
      servers.push(server)
      return server
    })
    await withTest(task, () => Promise.all(servers.map((server) => server.close())))
  },
})
