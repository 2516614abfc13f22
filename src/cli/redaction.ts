import type { Command } from 'commander'
import { type RedactOptions, Redactor } from '../probe/index.js'
import { UsageError } from './exit.js'
import { several } from './options.js'

export interface RedactFlags {
  readonly redact?: readonly string[]
  readonly secret?: readonly string[]
}

/** Adds what every command that shows traces takes. */
export const withRedaction = (command: Command): Command =>
  command
    .option('--redact <name>', 'a further header, parameter or field that is secret', several)
    .option('--secret <text>', 'a secret itself, hidden wherever it appears, such as in a path', several)

/** What the flags ask to be hidden, besides the well-known names and shapes. */
export function redactionOf({ redact: names = [], secret: values = [] }: RedactFlags): RedactOptions {
  if (names.some((name) => name.trim() === '')) throw new UsageError("--redact: expected a name, received ''")
  // Too short a secret is refused there; the message must not name it.
  try {
    new Redactor({ names, values })
  } catch (error) {
    throw new UsageError(`--secret: ${(error as Error).message.replace(/^.*?: /, '')}`)
  }
  return { names, values }
}
