import type { Fault } from './model.js'

/** The request is read and never answered; it ends when the client hangs up. */
export const hang: Fault = {
  readsBody: true,
  play: () => {},
}
