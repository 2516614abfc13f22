/** Two independent streams, so that a client that starts to make a UUID does not change its own jitter. */
export interface SeededRandom {
  /** For Math.random: 0 <= x < 1. */
  next(): number
  /** For the crypto sources. */
  fill(bytes: Uint8Array): void
  integerBelow(limit: number): number
}

/** mulberry32: small, and good enough for jitter. */
const mulberry32 = (seed: number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const seededRandom = (seed: number): SeededRandom => {
  const jitter = mulberry32(seed)
  const crypto = mulberry32(Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635)
  return {
    next: jitter,
    fill: (bytes) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(crypto() * 256)
    },
    integerBelow: (limit) => Math.floor(crypto() * limit),
  }
}
