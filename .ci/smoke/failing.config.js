import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['failing.js'],
    setupFiles: ['retrial/setup'],
    reporters: ['default', ['retrial/reporter', { json: 'retrial-report/report.json' }]],
  },
})
