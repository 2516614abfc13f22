import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/** The names a user imports, so that specs, examples and README code run unchanged against the sources. */
export const alias = [
  { find: /^retrial$/, replacement: src('index.ts') },
  { find: /^retrial\/setup$/, replacement: src('setup.ts') },
  { find: /^retrial\/matchers$/, replacement: src('matchers/index.ts') },
  { find: /^retrial\/contract$/, replacement: src('contract/index.ts') },
  { find: /^retrial\/property$/, replacement: src('property/index.ts') },
  { find: /^retrial\/reporter$/, replacement: src('reporter/index.ts') },
  { find: /^retrial\/test$/, replacement: src('test.ts') },
]

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['specs/**/*.spec.ts'],
    exclude: ['**/node_modules/**', '**/*.full.spec.ts'],
    setupFiles: [src('setup.ts')],
    testTimeout: 30_000,
    // Two cores are enough for two workers; vitest would leave one of them idle.
    maxWorkers: 2,
  },
})
