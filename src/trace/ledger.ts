import type { DedupMode, Ledger, LedgerEntry } from './model.js'

/** A ledger with its counts, made from its entries. */
export function ledgerOf(dedup: DedupMode, entries: readonly LedgerEntry[]): Ledger {
  const count = (of: readonly LedgerEntry[]) => of.reduce((sum, entry) => sum + entry.appliedBy.length, 0)
  return {
    dedup,
    entries,
    applied: count(entries),
    appliedUnder: (key) => count(entries.filter((entry) => entry.key === key)),
  }
}
