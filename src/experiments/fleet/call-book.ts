import type { FleetCall } from '../../guarantees/fleet/model.js'

/** How one call of the fleet went. */
export interface FleetCallRecord extends FleetCall {
  startedAtMs: number | null
  settledAtMs: number | null
  /** The final status, or what the client failed with: '200', '503', 'timeout', 'breaker open'; 'unsettled' until it has settled. */
  result: string
  succeeded: boolean
}

/** All calls of one run, by index, and who has one under way. */
export class CallBook {
  readonly #records = new Map<number, FleetCallRecord>()
  readonly #underWay = new Map<number, Set<number>>()
  readonly #calls: number

  constructor(calls: number) {
    this.#calls = calls
  }

  records(): readonly FleetCallRecord[] {
    return [...this.#records.values()]
  }

  submit(call: number, client: number, nowMs: number): FleetCallRecord {
    const record = {
      client,
      call,
      submittedAtMs: nowMs,
      startedAtMs: null,
      settledAtMs: null,
      result: 'unsettled',
      succeeded: false,
    }
    this.#records.set(call, record)
    return record
  }

  begin(record: FleetCallRecord, nowMs: number): void {
    record.startedAtMs = nowMs
    const { client, call } = record
    const open = this.#underWay.get(client)
    if (open === undefined) this.#underWay.set(client, new Set([call]))
    else open.add(call)
  }

  end(record: FleetCallRecord, nowMs: number): void {
    record.settledAtMs = nowMs
    this.#underWay.get(record.client)!.delete(record.call)
  }

  /** The index that the base URL of a whole client carries: those above the calls. */
  indexOfClient(client: number): number {
    return this.#calls + client
  }

  /** Whose request it is. A client made once for all its calls does not say which of them: it is the one under way, if there is one only. */
  attribute(index: number): { readonly client: number; readonly call: number | null } {
    if (index < this.#calls) return { client: this.#records.get(index)?.client ?? 0, call: index }
    const client = index - this.#calls
    const open = this.#underWay.get(client)
    const [only = null] = open ?? []
    return { client, call: open?.size === 1 ? only : null }
  }
}
