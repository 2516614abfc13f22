import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KNOWN_CLIENTS } from '../../fixtures/clients/known/index.js'
import { REAL_CLIENTS } from '../../fixtures/clients/real/index.js'
import { describeAgreement } from './agreement.js'
import { describeVerdicts } from './verdicts.js'

const isInstalled = existsSync(new URL('../../fixtures/clients/real/node_modules', import.meta.url))

test('the real clients are installed (npm run real:install)', () => {
  expect(isInstalled).toBe(true)
})

const others = REAL_CLIENTS.filter((client) => !KNOWN_CLIENTS.includes(client))
if (isInstalled) {
  describeAgreement(others)
  describeVerdicts(others)
}
