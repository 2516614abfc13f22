import { describe, expect, test } from 'vitest'
import { readTarget } from '../../src/server/attribution.js'
import { onStage } from './support.js'

describe('the prefix of a request', () => {
  test.each([
    ['/~retrial-t.0/v1/chat?a=1', { prefix: '/~retrial-t.0', call: 0, path: '/v1/chat?a=1' }],
    ['/~retrial-t.12', { prefix: '/~retrial-t.12', call: 12, path: '/' }],
    ['/~retrial-t.12?a=1', { prefix: '/~retrial-t.12', call: 12, path: '/?a=1' }],
    ['/~retrial-t/v1', { prefix: '/~retrial-t', call: null, path: '/v1' }],
    ['/v1/~retrial-t.0', { prefix: '', call: null, path: '/v1/~retrial-t.0' }],
    ['http://server:1/~retrial-t.3/v1', { prefix: '/~retrial-t.3', call: 3, path: '/v1' }],
    ['http://server:1', { prefix: '', call: null, path: '/' }],
    ['*', { prefix: '', call: null, path: '*' }],
    ['/~john/index.html', { prefix: '', call: null, path: '/~john/index.html' }],
    ['/~t.0/v1', { prefix: '', call: null, path: '/~t.0/v1' }],
    ['/~retrial-t.0/~john/', { prefix: '/~retrial-t.0', call: 0, path: '/~john/' }],
    ['/~retrial/trace', { prefix: '', call: null, path: '/~retrial/trace' }],
    ['/~retrial-old.0/v1', null],
  ])('of %s', (requestTarget, target) => {
    expect(readTarget(requestTarget, 't')).toEqual(target)
  })

  test('attributes attempts to calls and operations, and is not part of the path', async () => {
    await onStage([200], async ({ server, ask }) => {
      for (const call of [1, 0, 1]) await ask({ path: new URL(`${server.baseUrl(call)}/v1`).pathname })
      expect(server.attempts().map(({ call, path, operation }) => [call, path, operation])).toEqual([
        [1, '/v1', 0],
        [0, '/v1', 1],
        [1, '/v1', 0],
      ])
    })
  })

  test('is kept by redirects to a path of the server, and by nothing else', async () => {
    const redirect = (location: string) => ({ status: 307, headers: { location } })
    await onStage([redirect('/b'), redirect('//host/b'), redirect('https://host/b'), redirect('b')], async ({ ask }) => {
      const locations: (string | undefined)[] = []
      for (let i = 0; i < 4; i++) locations.push((await ask({ path: '/~retrial-t.5/a' })).headers.location)
      expect(locations).toEqual(['/~retrial-t.5/b', '//host/b', 'https://host/b', 'b'])
    })
  })

  test('is not in what is recorded of them', async () => {
    const step = { status: 307, headers: { location: '/b', 'x-location': '/~retrial-t.5/c' } }
    await onStage([step], async ({ server, ask }) => {
      expect((await ask({ path: '/~retrial-t.5/a' })).headers.location).toBe('/~retrial-t.5/b')
      const recorded = Object.fromEntries(server.attempts()[0]!.answerHeaders)
      expect(recorded).toMatchObject({ location: '/b', 'x-location': '/~retrial-t.5/c' })
    })
  })

  test('a redirect that fetch follows stays with its call', async () => {
    await onStage([{ status: 307, headers: { location: '/b' } }, 200], async ({ server }) => {
      const response = await fetch(`${server.baseUrl(3)}/a`, { method: 'POST', body: 'x' })
      await response.text()
      expect(server.attempts().map(({ call, path, result }) => [call, path, result])).toEqual([
        [3, '/a', 307],
        [3, '/b', 200],
      ])
    })
  })
})

describe('a request without an index', () => {
  const callsOf = (announced: readonly number[]) =>
    onStage([200], async ({ server, ask }) => {
      for (const call of announced) server.baseUrl(call)
      await ask({ path: '/v1' })
      return server.attempts().map(({ call }) => call)
    })

  test('belongs to the only call there is', async () => {
    expect(await callsOf([0])).toEqual([0])
  })

  test('belongs to nobody when there are several', async () => {
    expect(await callsOf([0, 1])).toEqual([null])
  })

  test('belongs to whom the trial says', async () => {
    const calls = await onStage(
      [200],
      async ({ server, ask }) => {
        await ask({ path: '/~retrial-t/v1', headers: { 'idempotency-key': 'k7' } })
        await ask({ path: '/v1' })
        return server.attempts().map(({ call }) => call)
      },
      { attribute: (key) => (key === 'k7' ? 7 : null) },
    )
    expect(calls).toEqual([7, null])
  })
})

test('a straggler of another trial is cut off and takes no step', async () => {
  await onStage([200], async ({ server, ask }) => {
    expect((await ask({ path: '/~retrial-old.0/v1' })).text).toBe('')
    expect(server.attempts()).toEqual([])
    expect(server.unplayed()).toEqual([{ status: 200 }])
  })
})
