/** Where undici, the one in Node and the one from npm, keeps the dispatcher of fetch. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/**
 * Has fetch forget a server that is gone for good. Undici 6, which Node 20 and 22 bring along, keeps a pool for every origin that it has
 * ever seen, and each trial has an origin of its own.
 */
export function forgetOrigin(port: number): void {
  const agent = (globalThis as { [GLOBAL_DISPATCHER]?: Record<symbol, unknown> })[GLOBAL_DISPATCHER]
  if (agent === undefined) return
  const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === 'clients')
  const pools = key === undefined ? undefined : agent[key]
  if (!(pools instanceof Map)) return
  // Newer releases put more behind a '#'.
  for (const origin of pools.keys()) if (String(origin).split('#')[0]!.endsWith(`:${port}`)) pools.delete(origin)
}
