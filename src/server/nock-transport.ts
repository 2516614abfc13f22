import type { ScriptedServer, ServerOptions } from './model.js'
export async function startNockServer(_origin: string, _given: ServerOptions): Promise<ScriptedServer> { throw new Error('x') }
