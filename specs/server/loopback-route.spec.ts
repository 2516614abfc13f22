import { vi } from 'vitest'
import { describeBuiltInHosts } from './origin.js'

// What is installed here is nock 14: this is how a trial looks where it is 15.
vi.mock('../../src/server/nock-loader.js', async (original) => {
  const { loadNock, ...rest } = await original<typeof import('../../src/server/nock-loader.js')>()
  return { ...rest, loadNock: async () => ({ ...(await loadNock()), interception: null }) }
})

describeBuiltInHosts()
