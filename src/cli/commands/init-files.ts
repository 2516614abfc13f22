/** The files of a project that begins, by their path. */
export const SETUP_FILE = 'retrial.setup.ts'
export const CONFIG_FILE = 'vitest.config.mts'
const SPEC_FILE = 'specs/retry.spec.ts'

/** Any of these is a config that vitest finds. */
export const CONFIGS: readonly string[] = ['vitest', 'vite'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'].map((extension) => `${name}.config.${extension}`),
)

/** The client of a user waits by itself; in this package only the clock does. */
const WAITS = 'setTimeout'

export const FILES: Readonly<Record<string, string>> = {
  [SETUP_FILE]: `// Registers the matchers, and fails a test that forgets to await one.
import 'retrial/setup'
`,
  [CONFIG_FILE]: `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['specs/**/*.spec.ts'],
    setupFiles: ['./${SETUP_FILE}'],
  },
})
`,
  [SPEC_FILE]: `import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'

// Put your own client here. This one shows the form: it is given a call, and makes it.
const client = defineClient('example client', async ({ url, method, headers, body, signal }) => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { method, headers, body, signal })
    if (![429, 503].includes(response.status) || attempt === 4) return response
    await response.text()
    const hintMs = Number(response.headers.get('retry-after') ?? 0) * 1_000
    await new Promise((resolve) => ${WAITS}(resolve, Math.max(hintMs, 250 * 2 ** (attempt - 1))))
  }
})

test('it waits as long as the server asks, and then succeeds', async () => {
  // Half a minute of waiting takes a moment: time is virtual.
  const trial = await runTrial(client, [{ status: 429, retryAfter: 30 }, 503, 200])
  expect(trial.statuses).toEqual([429, 503, 200])
  await expect(trial).toHonorRetryAfter()
})

test('it does not repeat what will not change', async () => {
  await expect(client).toNotRetryPermanent()
})
`,
}
