#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { processIo } from './io.js'
import { main } from './main.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

const code = await main(process.argv.slice(2), processIo(), version)
// A client under test may have left sockets and timers behind.
process.stdout.write('', () => process.exit(code))
