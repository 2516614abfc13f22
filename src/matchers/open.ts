import { MatcherUsageError } from './errors.js'

/** A judgement of a client that was begun in some test. */
interface OpenJudgement {
  readonly matcher: string
  awaited: boolean
  settled: boolean
  readonly done: Promise<unknown>
}

let open: OpenJudgement[] = []

/**
 * The promise of a client judgement. It notices whether anybody waits for it: vitest itself attaches the first `then` (to read pass and
 * message) and hands its result to the test, so it is the second generation that the test awaits or forgets.
 */
class Judgement<T> extends Promise<T> {
  entry?: OpenJudgement
  generation = 0

  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: being a thenable that watches its own `then` is the point
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const { entry, generation } = this
    const next = super.then(onFulfilled, onRejected)
    if (entry === undefined) return next
    if (generation > 0) {
      entry.awaited = true
      return next
    }
    const handed = new Judgement<A | B>((resolve, reject) => {
      next.then(resolve, reject)
    })
    handed.entry = entry
    handed.generation = generation + 1
    // A forgotten one is reported by name after the test, not as a stray rejection.
    Promise.prototype.then.call(handed, undefined, () => undefined)
    return handed
  }
}

/** Starts the judgement of a client; a second one while one is open is refused, since time is global. */
export function openJudgement<T>(matcher: string, judge: () => Promise<T>): Promise<T> {
  const running = open.find((entry) => !entry.settled)
  if (running !== undefined) {
    throw new MatcherUsageError(
      `${matcher}: ${running.matcher} is still judging a client. Virtual time is global: await each expect(client).${running.matcher}(...) before the next, and do not judge clients in test.concurrent`,
    )
  }
  const work = judge()
  const judgement = new Judgement<T>((resolve, reject) => {
    work.then(resolve, reject)
  })
  const entry: OpenJudgement = { matcher, awaited: false, settled: false, done: work.then(settle, settle) }
  function settle() {
    entry.settled = true
  }
  judgement.entry = entry
  open.push(entry)
  return judgement
}

/** Waits for the judgements of the test that just ended; names the ones that nobody awaited. */
export async function forgottenJudgements(): Promise<readonly string[]> {
  const ended = open
  open = []
  await Promise.all(ended.map((entry) => entry.done))
  return ended.filter((entry) => !entry.awaited).map((entry) => entry.matcher)
}
