import type { RunnerTestCase } from 'vitest'
import { withStack } from './stack.js'

/**
 * Attaches a picture to a test. vitest takes the line of an annotation from a stack that it captures itself, at once; a judgement has by
 * then long left the line that asked for it.
 */
export async function annotate(test: RunnerTestCase, headline: string, svg: string, stack: string | undefined): Promise<void> {
  // Bytes, which every vitest encodes itself: the UI of 4.1.0 takes a string for base64.
  const attachment = { contentType: 'image/svg+xml', body: new TextEncoder().encode(svg) }
  try {
    await asIfRunning(test, () => withStack(stack, () => test.context.annotate(headline, 'retrial', attachment)))
  } catch {
    // A runner that takes no annotation any more: the message and the meta have the timeline as text.
  }
}

/** vitest refuses annotations of a test that has failed, though reporters are not told of its end before its hooks are over. */
function asIfRunning<T>({ result }: RunnerTestCase, fn: () => T): T {
  if (result === undefined) return fn()
  const { state } = result
  result.state = 'run'
  try {
    return fn()
  } finally {
    result.state = state
  }
}
