import { METHODS } from 'node:http'
import { isNockLoaded, loadNock } from './nock-loader.js'

/**
 * Makes an exception for the servers of a trial from what a nock of the user's has forbidden. It goes on being asked first. Nock 15 needs
 * none: connections of a trial go past it.
 *
 * @param origins as clients would spell them: 'http://localhost:8080'.
 * @returns A function that takes the exception away again, and nothing else.
 */
export async function letThrough(origins: readonly string[]): Promise<() => void> {
  if (!isNockLoaded()) return () => {}
  const { nock } = await loadNock()
  if (!nock.isActive()) return () => {}
  const interceptors = origins.flatMap((origin) => {
    const scope = nock(origin, { allowUnmocked: true })
    return METHODS.map((method) => {
      const interceptor = scope.intercept(() => false, method)
      interceptor.reply(200)
      return interceptor
    })
  })
  return () => {
    for (const interceptor of interceptors) nock.removeInterceptor(interceptor)
  }
}
