import { type Command, InvalidArgumentError } from 'commander'

/** Numbers on the command line. Each names what it takes. */
export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least && value <= most) return value
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER ? `expected an integer >= ${least}` : `expected an integer from ${least} to ${most}`,
    )
  }

export const share = (text: string): number => {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('expected a share from 0 to 1')
}

export const oneOf =
  (values: readonly string[]) =>
  (text: string): string => {
    if (values.includes(text)) return text
    throw new InvalidArgumentError(`expected one of ${values.join(', ')}`)
  }

/** For options that may be given several times. */
export const several = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** The same for words of a list. */
export const severalOf =
  (values: readonly string[]) =>
  (text: string, before: readonly string[] = []): readonly string[] => [...before, oneOf(values)(text)]

/** A command with what every command has. */
export const command = (program: Command, usage: string, description: string, example: string): Command =>
  program
    .command(usage)
    .description(description)
    .option('--json', 'print JSON, for other programs')
    .addHelpText('after', `\nExample:\n  ${example.replaceAll('\n', '\n  ')}`)
