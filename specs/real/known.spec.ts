import { KNOWN_CLIENTS } from '../../fixtures/clients/known/index.js'
import { describeAgreement } from './agreement.js'

describeAgreement(KNOWN_CLIENTS)
