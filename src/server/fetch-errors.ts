import { getSystemErrorMap } from 'node:util'

const errnoOf = (wanted: string): number => [...getSystemErrorMap()].find(([, [code]]) => code === wanted)![0]
const ECONNRESET = errnoOf('ECONNRESET')

/** What a read of a socket fails with after an RST. */
export const resetError = (): Error =>
  Object.assign(new Error('read ECONNRESET'), { errno: ECONNRESET, code: 'ECONNRESET', syscall: 'read' })

/** An error as undici makes them; its classes cannot be reached from outside of Node's own copy. */
const undiciError = (name: string, code: string, message: string): Error => {
  const error = Object.assign(new Error(message), { code })
  return Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
}

export const closedError = (): Error => undiciError('SocketError', 'UND_ERR_SOCKET', 'other side closed')
export const abortedError = (): Error => undiciError('AbortError', 'UND_ERR_ABORTED', 'Request aborted')
export const headersTimeoutError = (): Error =>
  undiciError('HeadersTimeoutError', 'UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error')
export const bodyTimeoutError = (): Error => undiciError('BodyTimeoutError', 'UND_ERR_BODY_TIMEOUT', 'Body Timeout Error')
export const lengthMismatchError = (): Error =>
  undiciError(
    'ResponseContentLengthMismatchError',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'Response body length does not match content-length header',
  )
export const invalidEofError = (): Error => undiciError('HTTPParserError', 'HPE_INVALID_EOF_STATE', 'Invalid EOF state')
export const invalidArgumentError = (message: string): Error =>
  undiciError('InvalidArgumentError', 'UND_ERR_INVALID_ARG', message)
