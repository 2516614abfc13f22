import { defineConfig } from 'vitest/config'
import base, { alias } from './vitest.config.js'

/** The counts that take minutes: same specs, long form. */
export default defineConfig({
  resolve: { alias },
  test: { ...base.test, include: ['specs/**/*.full.spec.ts'], exclude: ['**/node_modules/**'], testTimeout: 600_000 },
})
