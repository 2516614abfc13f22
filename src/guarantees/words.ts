/** 29488 as '29 488': with a plain space, which every terminal and every diff shows alike. */
export const formatNumber = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ')

/** "29 488 ms": whole milliseconds; a fraction below 10 ms is kept to one digit. */
export const formatMs = (ms: number): string => `${Math.abs(ms) < 10 ? Math.round(ms * 10) / 10 : formatNumber(ms)} ms`

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

/** "1 attempt", "3 attempts", "1 000 entries". */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`

/** "429, 503 and reset". */
export function listed(words: readonly (string | number)[]): string {
  const [last, ...others] = [...words].reverse()
  return others.length === 0 ? String(last ?? '') : `${others.reverse().join(', ')} and ${last}`
}

/** Why a client whose jitter does not show is not to blame. */
export const RANDOM_REPLACED =
  "Math.random had been replaced (vi.spyOn(Math, 'random'), a stub), so that nobody's jitter could show: put it back before the trial"
