import { fileURLToPath } from 'node:url'

/** Enough to get from Node's timer functions through a library to the code that called it. */
const STACK_FRAMES = 16

/** This package's own code, which stands between a timer and its maker. */
const OWN_DIRECTORY = fileURLToPath(new URL('..', import.meta.url))

/** Node's functions that make a timer for whoever calls them, as opposed to Node's modules that make timers for themselves. */
const TIMER_FUNCTIONS = /^node:(internal\/)?(timers|timers\/promises|abort_controller|async_hooks)$/

/** npm's undici keeps its coarse timers like the one in Node does; its retry timers are another matter. */
const UNDICI_TIMERS = /[\\/]undici[\\/]lib[\\/]util[\\/]timers\.js$/

export interface Origin {
  readonly origin: string
  readonly byUserCode: boolean
}

interface Frame {
  readonly name: string
  readonly file: string
  readonly position: string
}

/** Takes the stack of the caller. The text is made, and source maps applied, only if `stack` is read. */
export const captureCreation = (): { readonly stack?: string } => {
  const holder: { stack?: string } = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_FRAMES
  Error.captureStackTrace(holder, captureCreation)
  Error.stackTraceLimit = stackTraceLimit
  return holder
}

/** Undici's tick and other timers of Node itself live on from trial to trial, and the text of a stack is dear. */
const described = new WeakMap<object, Origin>()

/** Names the code behind a creation stack: "retryLater (client.ts:12:5)". */
export const describeOrigin = (creation: { readonly stack?: string } | null): Origin => {
  if (creation === null) return originOf(null)
  const known = described.get(creation) ?? originOf(creation)
  described.set(creation, known)
  return known
}

const originOf = (creation: { readonly stack?: string } | null): Origin => {
  const frames = parseFrames(creation?.stack).filter(({ file }) => !file.startsWith(OWN_DIRECTORY))
  const makers = frames.filter(({ file }) => !TIMER_FUNCTIONS.test(file))
  const maker = makers[0]
  const byUserCode = maker !== undefined && !maker.file.startsWith('node:') && !UNDICI_TIMERS.test(maker.file)
  const shown = makers.find(({ file }) => !file.startsWith('node:')) ?? maker
  return {
    byUserCode,
    origin: shown === undefined ? 'unknown' : `${shown.name} (${withoutDirectory(shown.file)}:${shown.position})`,
  }
}

/** A tool may have installed an Error.prepareStackTrace that makes something else than text. */
const parseFrames = (stack: unknown): Frame[] => {
  if (typeof stack !== 'string') return []
  const frames: Frame[] = []
  for (const line of stack.split('\n')) {
    const match = /^\s*at (?:(?:async )?(?:new )?(.*?) \()?(?:async )?(.+?):(\d+:\d+)\)?$/.exec(line)
    if (match === null) continue
    const [, name = 'anonymous', location, position] = match
    frames.push({ name: readableName(name), file: filePath(location!), position: position! })
  }
  return frames
}

const readableName = (name: string): string => (name === '' || name.includes('<anonymous>') ? 'anonymous' : name)

const filePath = (location: string): string => (location.startsWith('file:') ? fileURLToPath(location) : location)

/** From the root of a machine to the file, or to a dependency's own folder. */
const DIRECTORY =
  /(?<=^|[\s(])(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])(?:.*[\\/]node_modules[\\/]|(?!.*[\\/]node_modules[\\/]).*[\\/])/

/** No path of a machine in messages: the file's name, for a dependency its path within it. */
export const withoutDirectory = (text: string): string => text.replace(DIRECTORY, '')
