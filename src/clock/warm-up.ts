import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Kernel } from './kernel.js'

/**
 * One fetch in real time, once per process. Undici compiles its HTTP parser on V8's own threads at the first one, and the rest of a cold
 * start is no part of a trial either.
 */
export const warmUp = (kernel: Kernel): Promise<void> => {
  kernel.warmUp ??= fetchOnce()
  return kernel.warmUp
}

const fetchOnce = async (): Promise<void> => {
  const server = createServer((_, response) => response.setHeader('connection', 'close').end('warm'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await response.text()
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
