import { REAL_SET_UPS } from '../../fixtures/clients/real/set-ups.js'
import { describeSetUps } from './set-ups.js'

describeSetUps(REAL_SET_UPS)
