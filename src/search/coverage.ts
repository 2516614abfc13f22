import { isFault } from '../schedule/model.js'
import { hintOf } from '../trace/hints.js'
import type { Attempt, Trial } from '../trace/model.js'
import { kindOfStep } from './plainness.js'

/** The place of one attempt in the space of faults. */
interface Cell {
  readonly fault: string
  readonly hint: string
  readonly method: string
  readonly phase: string
}

const DIMENSIONS = ['fault', 'hint', 'method', 'phase'] as const
const SEPARATOR = ' · '

/** Which faults were met with which form of hint, by which method, in which phase of a call. */
export class Coverage {
  readonly #cells = new Map<string, Map<string, number>>()
  #attempts = 0

  /** Adds every attempt that the server of this trial saw. */
  add(trial: Trial, hintHeaders: readonly string[]): void {
    for (const attempt of trial.attempts) {
      const cell = cellOf(attempt, trial, hintHeaders)
      const row = `${cell.fault}${SEPARATOR}${cell.hint}`
      const columns = this.#cells.get(row) ?? new Map<string, number>()
      const column = `${cell.method}${SEPARATOR}${cell.phase}`
      columns.set(column, (columns.get(column) ?? 0) + 1)
      this.#cells.set(row, columns)
      this.#attempts += 1
    }
  }

  get attempts(): number {
    return this.#attempts
  }

  /** How often a fault was met with a form of hint, by a method in a phase. */
  count(cell: Cell): number {
    return this.#cells.get(`${cell.fault}${SEPARATOR}${cell.hint}`)?.get(`${cell.method}${SEPARATOR}${cell.phase}`) ?? 0
  }

  /** Different values met in each dimension, and in each two of them. */
  pairs(): ReadonlyMap<string, number> {
    const met = new Map<string, Set<string>>()
    for (const [row, columns] of this.#cells) {
      for (const column of columns.keys()) {
        const values = [...row.split(SEPARATOR), ...column.split(SEPARATOR)]
        for (const [i, first] of DIMENSIONS.entries()) {
          for (const [j, second] of DIMENSIONS.entries()) {
            if (i >= j) continue
            const name = `${first} × ${second}`
            met.set(name, (met.get(name) ?? new Set()).add(`${values[i]}${SEPARATOR}${values[j]}`))
          }
        }
      }
    }
    return new Map([...met].map(([name, values]) => [name, values.size]))
  }

  /** A row for each fault and form of hint, a column for each method and phase. */
  table(): string {
    const columns = [...new Set([...this.#cells.values()].flatMap((row) => [...row.keys()]))].sort()
    const rows = [...this.#cells].sort(([a], [b]) => (a < b ? -1 : 1))
    const width = Math.max(16, ...rows.map(([name]) => name.length))
    const line = (name: string, values: readonly string[]) =>
      `${name.padEnd(width)}  ${values.map((value, index) => value.padStart(columns[index]!.length)).join('  ')}`.trimEnd()
    const pairs = [...this.pairs()].map(([name, count]) => `${name} ${count}`).join(', ')
    return [
      line(`fault${SEPARATOR}hint`, columns),
      ...rows.map(([name, row]) =>
        line(
          name,
          columns.map((column) => String(row.get(column) ?? '.')),
        ),
      ),
      '',
      `pairs met: ${pairs || 'none'}`,
    ].join('\n')
  }
}

function cellOf(attempt: Attempt, trial: Trial, hintHeaders: readonly string[]): Cell {
  const { method, idempotencyKey, operation, number } = attempt
  const isFirst = trial.operations[operation]?.attempts[0] === number
  const canCarryKey = method === 'POST' || method === 'PATCH'
  return {
    fault: faultOf(attempt),
    hint: hintForm(attempt, hintHeaders),
    method: canCarryKey ? `${method} ${idempotencyKey === null ? 'keyless' : 'keyed'}` : method,
    phase: attempt.afterSettling ? 'after settling' : isFirst ? 'first' : 're-send',
  }
}

/** What was played, as far as it came; what the ledger answered by its own. */
function faultOf({ step, ledger, status }: Attempt): string {
  if (step === null) return `ledger ${status ?? ledger}`
  const applied = (isFault(step) || step.status >= 300) && step.apply === true ? ' applied' : ''
  const late = !isFault(step) && ((step.delayMs ?? 0) > 0 || (step.bodyDelayMs ?? 0) > 0) ? ' late' : ''
  return `${kindOfStep(step)}${late}${applied}`
}

function hintForm(attempt: Attempt, headers: readonly string[]): string {
  const hint = hintOf(attempt, { headers })
  if (hint === null) return 'no hint'
  if (hint.kind === 'date' && hint.waitMs === 0) return 'past date'
  if (hint.kind === 'seconds' && hint.waitMs === 0) return 'zero'
  if (hint.kind !== 'date' || hint.header !== 'retry-after') return hint.kind
  return /^\w{3},/.test(hint.raw) ? 'imf date' : /^\w+day,/.test(hint.raw) ? 'rfc850 date' : 'asctime date'
}
