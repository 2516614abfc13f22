import { KNOWN_CLIENTS } from '../../fixtures/clients/known/index.js'
import { describeVerdicts } from './verdicts.js'

describeVerdicts(KNOWN_CLIENTS)
