import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ClientInput } from '../trial/model.js'
import { UsageError } from './exit.js'
import type { Io } from './io.js'

export type LoadedModule = Readonly<Record<string, unknown>>

const TYPESCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx'])

/** The absolute path of a module that is there. */
export function modulePath(name: string, { cwd }: Pick<Io, 'cwd'>): string {
  const path = resolve(cwd, name)
  if (!existsSync(path)) throw new UsageError(`cannot read ${name}: there is no such file`)
  if (!/^\.[cm]?[jt]sx?$/.test(extname(path))) {
    throw new UsageError(`${name}: expected a module (.js, .mjs, .cjs, .ts, .mts, .cts, .jsx, .tsx)`)
  }
  return path
}

/**
 * The exports of a module of the user's. TypeScript goes through the vite that vitest brings along, since not every supported Node reads
 * it.
 */
export async function loadModule(name: string, io: Pick<Io, 'cwd'>): Promise<LoadedModule> {
  const path = modulePath(name, io)
  try {
    if (!TYPESCRIPT.has(extname(path))) return (await import(pathToFileURL(path).href)) as LoadedModule
    return await loadTypeScript(path)
  } catch (error) {
    throw new UsageError(`cannot load ${name}: ${(error as Error).message}`, { cause: error })
  }
}

async function loadTypeScript(path: string): Promise<LoadedModule> {
  const { createViteServer } = await import('vitest/node')
  const server = await createViteServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  try {
    return (await server.ssrLoadModule(path)) as LoadedModule
  } finally {
    await server.close()
  }
}

/** "default, helper": what a module has to offer. */
export const exportsOf = (module: LoadedModule): string =>
  Object.entries(module)
    .map(([name, value]) => (value === null ? `${name} (null)` : name))
    .join(', ') || 'nothing'

/** The client that a module exports as `client`, or by default. */
export async function loadClient(name: string, io: Pick<Io, 'cwd'>): Promise<ClientInput> {
  const module = await loadModule(name, io)
  const client = module.client ?? module.default
  if (client === undefined || client === null) {
    throw new UsageError(`${name}: expected an export named client, or a default one; it exports ${exportsOf(module)}`)
  }
  return client as ClientInput
}
