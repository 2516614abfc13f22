import { text } from 'node:stream/consumers'
import picocolors from 'picocolors'
import { EXIT } from './exit.js'

/** Everything that a command does to the outside world, apart from files and sockets. */
export interface Io {
  /** One or more lines of result. */
  out(text: string): void
  /** One or more lines that are no result: progress, errors, hints. */
  err(text: string): void
  /** A line that the next one replaces; only where somebody watches. '' takes it away. */
  progress(text: string): void
  /** Whether results may have colours. */
  readonly color: boolean
  readonly cwd: string
  readStdin(): Promise<string>
  /** Calls `fn` at Ctrl-C (or SIGTERM) instead of ending at once; a second one ends. Returns what undoes it. */
  onInterrupt(fn: () => void): () => void
}

const CLEAR_LINE = '\r\u001b[2K'

/** The terminal, pipes and signals of this process, which `leave` ends. */
export function processIo(leave: (code: number) => void): Io {
  // `retrial ... | head` closes the pipe; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return leave(EXIT.upheld)
    throw error
  })
  const watched = process.stderr.isTTY === true && process.env.CI === undefined
  let shown = false
  const clear = () => {
    if (shown) process.stderr.write(CLEAR_LINE)
    shown = false
  }
  return {
    out(line) {
      clear()
      process.stdout.write(`${line}\n`)
    },
    err(line) {
      clear()
      process.stderr.write(`${line}\n`)
    },
    progress(line) {
      if (!watched) return
      clear()
      process.stderr.write(line)
      shown = line !== ''
    },
    color: picocolors.isColorSupported && (process.stdout.isTTY === true || process.env.FORCE_COLOR !== undefined),
    cwd: process.cwd(),
    readStdin: () => text(process.stdin),
    onInterrupt(fn) {
      const once = () => {
        undo()
        fn()
      }
      const undo = () => {
        process.removeListener('SIGINT', once)
        process.removeListener('SIGTERM', once)
      }
      process.on('SIGINT', once)
      process.on('SIGTERM', once)
      return undo
    },
  }
}
