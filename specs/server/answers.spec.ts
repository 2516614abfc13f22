import { expect, test } from 'vitest'
import { onStage } from './support.js'

test('x', async () => {
  const end = await onStage([{ status: 200, delayMs: 1500 }], ({ ask }) => ask({ body: '{"a":1}' }))
  expect(end).toEqual({})
})
