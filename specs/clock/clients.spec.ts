import { SET_UPS } from '../../fixtures/clients/set-ups/index.js'
import { describeSetUps } from './set-ups.js'

describeSetUps(SET_UPS)
