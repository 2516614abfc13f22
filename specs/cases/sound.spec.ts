import { expect, test } from 'vitest'
import { contract, sound } from '../../fixtures/clients/index.js'
import { outcomesOf } from './support.js'

test('a sound client fails no case, and meets every one that its contract makes applicable', async () => {
  expect(await outcomesOf(sound['fetch-loop']!, contract, 'fail', 'inconclusive')).toEqual([
    // Whether to repeat a 408 is left to the client; this one does not, and is not blamed.
    'CLS-07 GET inconclusive: the client did not repeat the GET after a 408',
    // Nor does it follow redirects.
    expect.stringMatching(/^RAF-18 GET inconclusive: no re-send followed an answer with Retry-After/),
  ])
})
