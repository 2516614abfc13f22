import { test } from 'vitest'
import { expectSound, soundOnes } from './support.js'

const STYLES = 4
const RUNS = 200
/** Variants differ from the fetch loop in one habit each. */
const RUNS_OF_A_VARIANT = 50

/** One of the sound clients of different style, over 200 seeds. */
export function holdSoundStyle(index: number): void {
  test.each(soundOnes.slice(index, index + 1))(`%s fails nothing in ${RUNS} runs with different seeds`, (...one) =>
    expectSound(one, RUNS),
  )
}

/** One of four parts of the sound clients with a habit of their own, over 50 seeds. */
export function holdSoundVariants(part: number): void {
  const own = soundOnes.slice(STYLES).filter((_, position) => position % 4 === part)
  test.each(own)(`%s fails nothing in ${RUNS_OF_A_VARIANT} runs with different seeds`, (...one) =>
    expectSound(one, RUNS_OF_A_VARIANT),
  )
}
