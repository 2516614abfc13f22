import type { Answer } from './model.js'

/** What an endless body is filled with when it has no bytes of its own: white space, which JSON readers skip. */
const FILLER = new Uint8Array([0x20])

/** The body byte by byte: the first at once, then one each `dripMs`. An endless one begins again and again. */
export const dripped: Answer = {
  cut: false,
  play(exchange, plan, step) {
    if (!plan.hasBody || (plan.body.length === 0 && !step.endless)) {
      exchange.answer(plan)
      return
    }
    const body = plan.body.length === 0 ? FILLER : plan.body
    // Without any wait an endless body would never give the client its turn.
    const dripMs = Math.max(1, step.dripMs ?? 0)
    const drip = (index: number): void => {
      const byte = body.subarray(index, index + 1)
      const last = index === body.length - 1
      if (last && !step.endless) {
        exchange.end(byte, plan.closeAfter)
        return
      }
      exchange.write(byte)
      exchange.after(dripMs, () => drip(last ? 0 : index + 1))
    }
    exchange.head(plan)
    exchange.after(step.bodyDelayMs ?? 0, () => drip(0))
  },
}
