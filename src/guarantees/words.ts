/** "29 488 ms": whole milliseconds, thousands parted by a space; a fraction below 10 ms is kept to one digit. */
export function formatMs(ms: number): string {
  const shown = Math.abs(ms) < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)
  return `${String(shown).replace(/\B(?=(\d{3})+(?!\d))/g, ' ')} ms`
}

const UNITS = [
  { ms: 86_400_000, from: 2, name: 'days' },
  { ms: 3_600_000, from: 1, name: 'h' },
  { ms: 60_000, from: 2.5, name: 'min' },
  { ms: 1_000, from: 1, name: 's' },
] as const

/** "30 s", "1 h", "34.7 days": how a person would say it, one decimal at most. */
export function formatWait(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= candidate.ms * candidate.from)
  return unit === undefined ? formatMs(ms) : `${Math.round((ms / unit.ms) * 10) / 10} ${unit.name}`
}

/** "1 attempt", "3 attempts". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** "429, 503 and reset". */
export function listed(words: readonly (string | number)[]): string {
  const [last, ...others] = [...words].reverse()
  return others.length === 0 ? String(last ?? '') : `${others.reverse().join(', ')} and ${last}`
}
