import { isLoadingModule } from './host.js'
import type { Kernel } from './kernel.js'

/** Requests to libuv that end by themselves. Servers, sockets, timers and message ports are resources too, but are there for good. */
const REQUESTS =
  /^(FSReq|CloseReq|FileHandleCloseReq|GetAddrInfo|GetNameInfo|Query|ConnectWrap|TCPConnect|PipeConnect|UDPSend|SendWrap|StreamPipe)/i
const PROCESS = 'ProcessWrap'

/** Real time for which a run waits for the requests that it has found under way: its client may have begun them. */
const PATIENCE_MS = 500

/** So many requests have been found to last, as the reading of a named pipe does: later runs do not wait for them again. */
let lastingRequests = 0

/** A message between two ports of this thread arrives in the next turn of the loop, and may be answered there. */
const TURNS_OF_A_MESSAGE = 2

const activeRequests = (): { requests: string[]; processes: number } => {
  const resources = process.getActiveResourcesInfo()
  return {
    requests: resources.filter((name) => REQUESTS.test(name)),
    processes: resources.filter((name) => name === PROCESS).length,
  }
}

/** Between two ports of this thread, or from a runner that reports to its parent by the same means. */
export const MESSAGE_UNDER_WAY = 'a message is under way between two ports'
export const IMMEDIATES_PENDING = 'setImmediate callbacks are pending'

/** Knows everything that could still make something happen without time moving. */
export class Accounting {
  readonly #kernel: Kernel
  readonly #jobs = new Map<string, number>()
  #tracked = 0
  #turnsForMessages = 0
  /** What was under way when the run began and lasts is not the run's business. */
  #processesBefore: number
  #requestsBefore: number
  readonly #startedAtMs: number

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.#startedAtMs = kernel.real.performanceNow()
    const { requests, processes } = activeRequests()
    this.#processesBefore = processes
    this.#requestsBefore = requests.length
  }

  get tracked(): number {
    return this.#tracked
  }

  beginJob(name: string): () => void {
    this.#jobs.set(name, (this.#jobs.get(name) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = this.#jobs.get(name)! - 1
      if (left === 0) this.#jobs.delete(name)
      else this.#jobs.set(name, left)
    }
  }

  track<T>(promise: Promise<T>): Promise<T> {
    this.#tracked++
    const end = () => {
      this.#tracked--
    }
    promise.then(end, end)
    return promise
  }

  noteMessage(): void {
    this.#turnsForMessages = TURNS_OF_A_MESSAGE
  }

  /** What is going on, or null. Asked once in a turn of the loop. Ordered from cheap to dear. */
  busy(): string | null {
    if (this.#turnsForMessages > 0) {
      this.#turnsForMessages--
      return MESSAGE_UNDER_WAY
    }
    return this.#kernel.pendingImmediates > 0 ? IMMEDIATES_PENDING : this.busyBesidesImmediates()
  }

  busyBesidesImmediates(): string | null {
    const onTheWire = this.#kernel.sockets.busy()
    if (onTheWire !== null) return onTheWire
    for (const name of this.#jobs.keys()) return `${name} is at work in the thread pool`
    if (this.#tracked > 0) return 'a promise given to clock.track() is pending'
    if (isLoadingModule()) return 'vitest is loading a module'
    return this.#requestBusy()
  }

  #requestBusy(): string | null {
    const { requests, processes } = activeRequests()
    lastingRequests = Math.min(lastingRequests, requests.length)
    if (processes > this.#processesBefore) return `a child process is running (${PROCESS})`
    this.#processesBefore = processes
    if (requests.length > this.#requestsBefore || !this.#areLasting(requests.length))
      return `a request to the operating system is under way (${requests.at(-1)})`
    this.#requestsBefore = requests.length
    return null
  }

  /** Whether requests from before the run are known to have nothing to do with it. */
  #areLasting(count: number): boolean {
    if (count <= lastingRequests) return true
    if (this.#kernel.real.performanceNow() - this.#startedAtMs < PATIENCE_MS) {
      this.#requestsBefore = Math.min(this.#requestsBefore, count)
      return false
    }
    lastingRequests = count
    return true
  }
}
