import { test } from 'vitest'
import { LAWS } from './fuzz.js'

test.each(Object.entries(LAWS))('the parser takes %s, 10,000 times', (_name, hold) => {
  hold(10_000)
})
