import { readIssues } from '../schedule/issues.js'
import { renderPath, show } from '../schedule/words.js'
import type { Contract } from './contract.js'
import { contractSchema } from './contract-schema.js'
import { PRESETS } from './presets.js'

/** A contract that promises something impossible, or has a name that nobody reads. Its message has one line per issue. */
export class ContractError extends TypeError {
  override readonly name = 'ContractError'
}

/** Nested promises are merged with those of the preset; lists and numbers replace them. */
const NESTED = ['retryAfter', 'backoff', 'idempotency', 'budget', 'breaker'] as const

function merge(preset: Contract, own: Contract): Contract {
  const merged: Record<string, unknown> = { ...preset, ...own }
  for (const key of NESTED) {
    if (preset[key] !== undefined && own[key] !== undefined) merged[key] = { ...preset[key], ...own[key] }
  }
  return merged as Contract
}

/** Header names compare in lower case, as they are in a trace. */
function inLowerCase(contract: Contract): Contract {
  const { idempotency, shouldRetryHeader } = contract
  return {
    ...contract,
    ...(idempotency?.header === undefined ? {} : { idempotency: { ...idempotency, header: idempotency.header.toLowerCase() } }),
    ...(shouldRetryHeader === undefined ? {} : { shouldRetryHeader: shouldRetryHeader.toLowerCase() }),
  }
}

/** What each part allows but not both together. */
function contradictions({ permanent, transient, backoff, deadlineBy, deadlineMs }: Contract): string[] {
  const both = (permanent ?? []).filter((status) => transient?.includes(status))
  const { jitter, baseMs, capMs } = backoff ?? {}
  return [
    ...both.map((status) => `contract.transient: expected no status of contract.permanent, received ${status}`),
    ...(typeof jitter === 'object' && jitter.min > jitter.max
      ? [`contract.backoff.jitter.min: expected at most max (${jitter.max}), received ${jitter.min}`]
      : []),
    ...(capMs !== undefined && baseMs !== undefined && capMs < baseMs
      ? [`contract.backoff.capMs: expected at least baseMs (${baseMs}), received ${capMs}`]
      : []),
    ...(deadlineBy !== undefined && deadlineMs === undefined
      ? [`contract.deadlineBy: expected contract.deadlineMs beside it, received only ${show(deadlineBy)}`]
      : []),
  ]
}

/**
 * Checks a contract and fills in its preset; what the contract itself says wins. Resolving twice changes nothing.
 *
 * @param input What the client promises; waits in ms. Default: nothing beyond what is always judged.
 * @throws ContractError naming the place, what was expected there and what was received.
 * @example
 * resolveContract({ preset: 'openai', maxAttempts: 5 }).backoff?.capMs // 8000
 */
export function resolveContract(input: Contract = {}): Contract {
  const { error } = contractSchema.safeParse(input)
  if (error) {
    const lines = readIssues(error, input).map(({ path, message }) => `${renderPath('contract', path)}: ${message}`)
    throw new ContractError(lines.join('\n'))
  }
  const contract = inLowerCase(input.preset === undefined ? input : merge(PRESETS[input.preset], input))
  const lines = contradictions(contract)
  if (lines.length > 0) throw new ContractError(lines.join('\n'))
  return contract
}
