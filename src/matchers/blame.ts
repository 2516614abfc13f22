import type { TestError } from 'vitest'
import { decisiveReasons } from '../report/failure.js'
import type { TrialNote } from '../report/notes.js'
import { oneLine, toAscii } from '../report/text.js'

/**
 * The judgements that failed a test, of all that did not hold in it: some were caught, or were repeated until the last one counted. An
 * error tells which one it is by what it says, else by the line of the test that it comes from.
 *
 * @param notes in the order in which they were made
 * @param file the test file, by which its lines are known in a stack
 */
export function blamed(notes: readonly TrialNote[], errors: readonly TestError[], file: string): readonly TrialNote[] {
  const left = [...notes]
  const found: TrialNote[] = []
  const take = (fits: (note: TrialNote) => boolean) => {
    const index = left.findLastIndex(fits)
    if (index >= 0) found.push(...left.splice(index, 1))
    return index >= 0
  }
  // From the last error back, so that of equal judgements each has its own error, and of a repeated one the last is taken.
  for (const error of errors.toReversed()) {
    const said = plain(saidBy(error))
    const isSaid = (note: TrialNote) => said.includes(plain(textOf(note)))
    if (take(isSaid) || found.some(isSaid)) continue
    const places = placesIn(error.stack, file)
    take(({ stack }) => placesIn(stack, file).some((place) => places.includes(place)))
  }
  return found.reverse()
}

/** What a judgement says in the first line. */
export const textOf = ({ verdict }: TrialNote): string => decisiveReasons(verdict)[0]?.text ?? verdict.guarantee

/** Messages are broken into lines, and may be spelt in ASCII. */
const plain = (text: string): string => toAscii(oneLine(text)).replace(/ +/g, ' ')

/** What an error says, and those that caused it: a property wraps the judgement of its counterexample. */
function saidBy(error: TestError): string {
  const parts: string[] = []
  for (let one: Partial<TestError> | undefined = error; one !== undefined && parts.length < 10; one = one.cause) {
    parts.push(String(one.message ?? ''))
  }
  return parts.join('\n')
}

/** The lines of the test file in a stack, as 'spec.ts:12:3'. */
const placesIn = (stack: string | undefined, file: string): readonly string[] =>
  (stack ?? '').split('\n').flatMap((line) => {
    const at = line.indexOf(file)
    return at < 0 ? [] : (/^:\d+:\d+/.exec(line.slice(at + file.length)) ?? [])
  })
