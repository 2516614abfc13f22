import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from './exit.js'
import type { Io } from './io.js'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  ENOSPC: 'the disk is full',
}

const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** Some editors and shells put a mark before their text, or write it in UTF-16. */
function decoded(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The text of a file, or of standard input for '-'. */
export async function readInput(name: string, io: Io): Promise<string> {
  if (name === '-') return io.readStdin()
  if (name.trim() === '') throw new UsageError("expected the name of a file, received ''")
  try {
    return decoded(readFileSync(resolve(io.cwd, name)))
  } catch (error) {
    throw new UsageError(`cannot read ${name}: ${reasonOf(error)}`)
  }
}

/** Refuses a place that cannot be written to, before there is anything to write. */
export function ensureWritable(name: string, { cwd }: Pick<Io, 'cwd'>): void {
  const path = resolve(cwd, name)
  try {
    sweep(path)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw new UsageError(`cannot write ${name}: ${reasonOf(error)}`)
  }
}

/** A file that is there whole or not at all, whenever the process dies: it is written beside its place and moved there. */
export function writeWhole(name: string, content: string, { cwd }: Pick<Io, 'cwd'>): void {
  const path = resolve(cwd, name)
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  try {
    sweep(path)
    const file = openSync(beside, 'w')
    try {
      writeFileSync(file, content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new UsageError(`cannot write ${name}: ${reasonOf(error)}`)
  }
}

/** Whether a process is there. */
export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Takes away what a process that was killed while it wrote has left beside the file. */
function sweep(path: string): void {
  const [before, after] = [`.${basename(path)}.`, '.tmp']
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(before) || !name.endsWith(after)) continue
    const pid = Number(name.slice(before.length, -after.length))
    if (Number.isSafeInteger(pid) && pid > 0 && !isRunning(pid)) rmSync(join(dirname(path), name), { force: true })
  }
}
