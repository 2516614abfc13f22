import type { SetUp } from '../../fixtures/clients/set-ups/model.js'
import { describeSetUps } from './set-ups.js'

// By a name that the type check does not follow: the packages are installed beside these set-ups only (npm run real:install).
const REAL = '../../fixtures/clients/real/set-ups.js'
const { REAL_SET_UPS } = (await import(REAL)) as { REAL_SET_UPS: readonly SetUp[] }

describeSetUps(REAL_SET_UPS)
