import http from 'node:http'
import axios from 'axios'
import OpenAI from 'openai'
import * as undici from 'undici'
import { defineClient } from '../../src/trial/client.js'
import { runTrial } from '../../src/trial/run-trial.js'
const T = 4000
const kinds: Record<string, (u: string) => Promise<unknown>> = {
  fetch: async (u) => (await fetch(u, { signal: AbortSignal.timeout(T) })).text(),
  openai: (u) => new OpenAI({ apiKey: 'x', baseURL: u, timeout: T, maxRetries: 0 }).get('/m'),
  axios: (u) => axios.get(u, { timeout: T, signal: AbortSignal.timeout(T) }),
  undici: async (u) => (await undici.request(u, { headersTimeout: T })).body.text(),
}
void http
const which = process.argv[2]!, step = process.argv[3] ?? '200'
const client = defineClient('x', async ({ url }) => { for (let i = 0; i < 2; i++) { try { return await kinds[which]!(url) } catch { await new Promise((r) => setTimeout(r, 100)) } } })
const h: string[] = []
for (let i = 0; i < 5000; i++) {
  await runTrial(client, [JSON.parse(step), 200], { call: { method: 'GET' } })
  if ((i + 1) % 1000 === 0) { (globalThis as any).gc(); await new Promise(r => setTimeout(r, 20)); (globalThis as any).gc(); h.push((process.memoryUsage().heapUsed / 1e6).toFixed(2)) }
}
console.log(which, step, h.join(' '))
