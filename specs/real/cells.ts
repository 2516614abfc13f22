import { readFileSync } from 'node:fs'

export type Range = readonly [from: number, to: number]

/** How a call ended, in the words of the tables. */
export type Ending =
  | { readonly kind: 'ok' }
  /** Resolved, but with the raw text in place of what it stands for. */
  | { readonly kind: 'text' }
  /** Resolved with a response of that status. */
  | { readonly kind: 'response'; readonly status: number }
  | { readonly kind: 'error'; readonly status?: number; readonly name?: string }
  /** Not settled at the cap. */
  | { readonly kind: 'pending' }
  /** Not settled and nothing sent: waiting for a hint. */
  | { readonly kind: 'waiting' }

/** One measurement: a client, a method, a scenario. Ranges are what the printed figure can have been before it was rounded. */
export interface Cell {
  readonly client: string
  readonly method: string
  readonly scenario: string
  /** The cell as it was printed. */
  readonly said: string
  readonly attempts?: number
  /** The first waits; not always all of them. */
  readonly waitsMs?: readonly Range[]
  readonly hint?: 'waited' | 'early'
  readonly settledMs?: Range
  /** From the abort to settling; 'ignored' = longer than 2 s. */
  readonly afterAbortMs?: Range | 'ignored'
  readonly beforeAbort?: true
  readonly outcome: Ending
}

export const TABLES = ['a', 'b', 'c', 'd', 'e', 'f', 'h'] as const

export function readTable(table: (typeof TABLES)[number]): readonly Cell[] {
  return JSON.parse(readFileSync(new URL(`../../fixtures/real-clients/${table}.json`, import.meta.url), 'utf8')) as Cell[]
}

/** Every measurement of one client, with the name of a test. */
export function cellsOf(client: string): readonly (readonly [name: string, cell: Cell])[] {
  return TABLES.flatMap((table) =>
    readTable(table)
      .filter((cell) => cell.client === client)
      .map((cell) => [`${table.toUpperCase()} ${client} ${cell.method}, ${cell.scenario}: ${cell.said}`, cell] as const),
  )
}
