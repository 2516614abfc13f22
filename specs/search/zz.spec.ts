import { test } from 'vitest'
import { sound, wrong, contract } from '../../fixtures/clients/index.js'
import { search } from '../../src/search/run.js'
import { renderSearch } from '../../src/search/render.js'
test('sound', async () => {
  for (const [name, client] of Object.entries(sound)) {
    const r = await search(client, contract, { runs: 300, seed: Number(process.env.S ?? 1) })
    console.log(name, r.elapsedMs, '\n' + renderSearch(r))
  }
}, 300_000)
