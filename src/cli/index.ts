#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { EXIT } from './exit.js'
import { processIo } from './io.js'
import { main } from './main.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

let isOver = false
const leave = (code: number): void => {
  isOver = true
  process.exit(code)
}

// A module of the user's can wait for what never comes, or end the process: neither may look like a verdict.
process.once('exit', () => {
  if (isOver) return
  process.stderr.write(
    'error: the process ended before the command was done: a module that was loaded ends it, or never finishes loading\n',
  )
  process.exitCode = EXIT.usage
})
void main(process.argv.slice(2), processIo(leave), version).then((code) => {
  // A client under test may have left sockets and timers behind.
  process.stdout.write('', () => leave(code))
})
