import { ChildProcess } from 'node:child_process'
import { isLoadingModule } from './host.js'
import type { Kernel } from './kernel.js'

/** Requests to libuv that end by themselves. Servers, sockets, timers and message ports are resources too, but are there for good. */
const REQUESTS =
  /^(FSReq|CloseReq|FileHandleCloseReq|GetAddrInfo|GetNameInfo|Query|ConnectWrap|TCPConnect|PipeConnect|UDPSend|SendWrap|StreamPipe)/i
const PROCESS = 'ProcessWrap'

/** Real time for which a run waits for the requests that it has found under way: its client may have begun them. */
const PATIENCE_MS = 500

/** Not the business of any run: requests that have outlasted that patience (the reading of a named pipe), and children from before a run. */
const lasting = new WeakSet<object>()

/** A message between two ports of this thread arrives in the next turn of the loop, and may be answered there. */
const TURNS_OF_A_MESSAGE = 2

/** What process.getActiveResourcesInfo() gives the names of; on every Node from 20 to 26. */
const { _getActiveRequests: allRequests, _getActiveHandles: allHandles } = process as unknown as {
  _getActiveRequests(): object[]
  _getActiveHandles(): object[]
}

const isShortLived = (request: object): boolean => !lasting.has(request) && REQUESTS.test(request.constructor.name)
const activeRequests = (): object[] => allRequests().filter(isShortLived)
const activeChildren = (): object[] => allHandles().filter((handle) => handle instanceof ChildProcess && !lasting.has(handle))

/** Between two ports of this thread, or from a runner that reports to its parent by the same means. */
export const MESSAGE_UNDER_WAY = 'a message is under way between two ports'
export const IMMEDIATES_PENDING = 'setImmediate callbacks are pending'

/** Knows everything that could still make something happen without time moving. */
export class Accounting {
  readonly #kernel: Kernel
  readonly #jobs = new Map<string, number>()
  #tracked = 0
  #turnsForMessages = 0
  /** Requests that were under way when the run began. */
  readonly #found: Set<object>
  readonly #startedAtMs: number

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.#startedAtMs = kernel.real.performanceNow()
    this.#found = new Set(activeRequests())
    for (const child of activeChildren()) lasting.add(child)
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
    const resources = process.getActiveResourcesInfo()
    if (resources.includes(PROCESS) && activeChildren().length > 0) return `a child process is running (${PROCESS})`
    const name = resources.findLast((resource) => REQUESTS.test(resource))
    return name !== undefined && this.#hasRequests() ? `a request to the operating system is under way (${name})` : null
  }

  #hasRequests(): boolean {
    if (this.#found.size > 0 && this.#kernel.real.performanceNow() - this.#startedAtMs >= PATIENCE_MS) {
      for (const request of this.#found) lasting.add(request)
      this.#found.clear()
    }
    return activeRequests().length > 0
  }
}
