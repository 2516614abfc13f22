import * as fc from 'fast-check'

/** How large a value is, the most important part first; compared part by part. */
export type Size = readonly number[]

/** Whether `a` is strictly smaller than `b`. */
export function isSmaller(a: Size, b: Size): boolean {
  const differing = b.findIndex((part, index) => (a[index] ?? 0) !== part)
  return differing >= 0 && (a[differing] ?? 0) < b[differing]!
}

/** How values of one kind are made simpler. */
export interface Shrinker<T> {
  sizeOf(value: T): Size
  /** Candidates, the boldest first; those that are not strictly smaller are passed over. */
  simplify(value: T): Iterable<T>
  /** Whether a value that did not come from the generator is of this kind. */
  accepts(value: unknown): value is T
}

/**
 * Values from a generator of fast-check, with a shrinker of our own: it knows what is plainer to a reader, works on any value (one from a
 * file, or pasted, too), and comes to an end because every candidate is strictly smaller.
 */
class ShrinkingArbitrary<T> extends fc.Arbitrary<T> {
  readonly #generator: fc.Arbitrary<T>
  readonly #shrinker: Shrinker<T>

  constructor(generator: fc.Arbitrary<T>, shrinker: Shrinker<T>) {
    super()
    this.#generator = generator
    this.#shrinker = shrinker
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return new fc.Value(this.#generator.generate(random, biasFactor).value, undefined)
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#shrinker.accepts(value)
  }

  shrink(value: T): fc.Stream<fc.Value<T>> {
    return new fc.Stream(smaller(value, this.#shrinker)).map((candidate) => new fc.Value(candidate, undefined))
  }
}

function* smaller<T>(value: T, { sizeOf, simplify }: Shrinker<T>): IterableIterator<T> {
  const size = sizeOf(value)
  const seen = new Set<string>()
  for (const candidate of simplify(value)) {
    const text = JSON.stringify(candidate)
    if (seen.has(text) || !isSmaller(sizeOf(candidate), size)) continue
    seen.add(text)
    yield candidate
  }
}

/** The generator's values, shrunk by `shrinker`. */
export const shrinkBy = <T>(generator: fc.Arbitrary<T>, shrinker: Shrinker<T>): fc.Arbitrary<T> =>
  new ShrinkingArbitrary(generator, shrinker)
