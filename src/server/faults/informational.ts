import type { Exchange } from '../exchange.js'
import type { Fault } from './model.js'

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'
const EVERY_MS = 1_000

function hint(exchange: Exchange): void {
  exchange.raw(EARLY_HINTS)
  exchange.after(EVERY_MS, () => hint(exchange))
}

/** 103 at once and then each second, for ever: something always arrives, and the final answer never (RFC 8297, RFC 9110 §15.2). */
export const informational: Fault = {
  readsBody: true,
  play: hint,
}
