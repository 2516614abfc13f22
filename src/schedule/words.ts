const SHOWN_CHARACTERS = 60

const shorten = (text: string): string => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text)

const article = (name: string): string => (/^[AEIOU]/i.test(name) ? `an ${name}` : `a ${name}`)

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

/** A received value as it is named in an error: short, on one line, never throwing. */
export const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' || typeof value === 'symbol') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'object' && value !== null && !isPlain(value)) return article(value.constructor?.name || 'object')
  try {
    return shorten(JSON.stringify(value))
  } catch {
    return 'an object that is not JSON'
  }
}

/** `schedule[2].retryAfter`, `schedule[0].headers["x-a"][1]`: a path as it would be written in code. */
export const renderPath = (where: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const name = String(part)
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `${text}.${name}` : `${text}[${JSON.stringify(name)}]`
  }, where)

const editDistance = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const substitution = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[to.length]!
}

const bare = (word: string): string => word.toLowerCase().replace(/[-_\s]/g, '')

/** The allowed word that was probably meant; null when none is close. Case, dashes and underscores do not count. */
export const nearest = (word: string, allowed: readonly string[]): string | null => {
  const meant = bare(word.slice(0, SHOWN_CHARACTERS))
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of allowed) {
    const distance = editDistance(meant, bare(candidate))
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  // A third of the letters may be wrong: 'rest' is 'reset', but 'delay' is not 'repeat'.
  return best !== null && bestDistance <= Math.ceil(bare(best).length / 3) ? best : null
}

/** `; did you mean "reset"?`, or nothing. */
export const didYouMean = (word: unknown, allowed: readonly string[]): string => {
  const meant = typeof word === 'string' ? nearest(word, allowed) : null
  return meant === null ? '' : `; did you mean "${meant}"?`
}
