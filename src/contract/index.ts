export type { Contract } from '../guarantees/contract.js'
export { type ContractSuiteOptions, describeRetryContract } from './describe.js'
export type { CaseOutcome, CaseStatus, ContractReport } from './results.js'
