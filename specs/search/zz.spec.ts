import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { soundVariants, wrong } from '../../fixtures/clients/index.js'
import { renderSearch } from '../../src/search/render.js'
import { search } from '../../src/search/run.js'
test('sound', { timeout: 3_000_000 }, async () => {
  const all = [...['consumes-token-stream','keeps-retry-budget','reconnects-event-stream'].map((n) => [n, soundVariants[n]!.client, soundVariants[n]!.contract] as const), ...['restarts-stream','counter-reset-on-connect'].map((n) => [n, wrong[n]!.client, wrong[n]!.contract] as const)]
  for (const seed of [21, 22]) for (const [n, c, k] of all) {
    const s = await search(c, k, { runs: 400, seed })
    appendFileSync('/tmp/s2.log', `${n} ${seed} ${s.kind} ${s.runs} ${s.elapsedMs} ${s.unmet} ${s.counterexample ? '\n'+renderSearch(s) : ''}\n`)
  }
})
