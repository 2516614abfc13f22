import { fileURLToPath } from 'node:url'
import type { CallPlan } from '../../trial/model.js'

/** How the generated spec says that the module has no client: told apart from a module that cannot be loaded. */
export const NO_CLIENT = 'retrial: no client'

export interface CheckPlan {
  readonly clientPath: string
  /** As the user wrote it. */
  readonly clientName: string
  /** A module with a contract; null when it is JSON. */
  readonly contractPath: string | null
  readonly contract: object
  readonly preset: string | undefined
  readonly call: CallPlan
  readonly seeds: readonly number[]
  readonly transport: 'socket' | 'fetch'
  readonly strict: boolean
  readonly stages: readonly number[]
  readonly reportFile: string
}

/** This package's own contract suite: the sources, when the command line runs from them. */
const SUITE = fileURLToPath(new URL(`../../contract/index${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))

/** The spec that `check` has vitest run, so that nobody has to write one. */
export function checkSpec(plan: CheckPlan): string {
  const { clientPath, clientName, contractPath, contract, preset, call, seeds, transport, strict, stages, reportFile } = plan
  const json = (value: unknown) => JSON.stringify(value) ?? 'undefined'
  return `
import { describeRetryContract } from ${json(SUITE)}
import * as subject from ${json(clientPath)}
${contractPath === null ? 'const contractModule = {}' : `import * as contractModule from ${json(contractPath)}`}

const client = subject.client ?? subject.default
if (client === undefined) {
  throw new Error(${json(`${NO_CLIENT}: ${clientName}: expected an export named client, or a default one; it exports `)} + (Object.keys(subject).join(', ') || 'nothing'))
}
// vite's name for what was exported without one.
if (client?.name === '__vite_ssr_export_default__') Object.defineProperty(client, 'name', { value: ${json(clientName)} })
const contract = {
  ...(${json(preset)} === undefined ? {} : { preset: ${json(preset)} }),
  ...(contractModule.contract ?? contractModule.default ?? subject.contract ?? {}),
  ...${json(contract)},
  ...(${strict} ? { strict: true } : {}),
  ...(${json(stages)}.length === 0 ? {} : { stages: ${json(stages)} }),
}
describeRetryContract(${json(clientName)}, client, contract, {
  call: ${json(call)},
  seeds: ${json(seeds)},
  transport: ${json(transport)},
  reportFile: ${json(reportFile)},
  summary: false,
})
`
}
