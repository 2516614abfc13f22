import { expect, test } from 'vitest'
import { run } from './support.js'

const COMMANDS = ['check', 'serve', 'probe', 'diagnose', 'show', 'batch', 'herd', 'preflight', 'init']

test('alone it says what it can do, with one example', async () => {
  const { code, out } = await run([])
  expect(code).toBe(0)
  for (const command of COMMANDS) expect(out).toContain(`retrial ${command}`)
  expect(out).toContain("retrial serve '[{")
})

test('help lists the commands and the exit codes', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  expect(out).toContain('0 upheld   1 broken   2 usage or input error   3 inconclusive')
  for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'))
})

test.each(COMMANDS)('%s has help with an example, and --json', async (command) => {
  const { code, out } = await run([command, '--help'])
  expect(code).toBe(0)
  expect(out).toContain(`Usage: retrial ${command}`)
  expect(out).toContain(`Example:\n  retrial ${command}`)
  expect(out).toContain('--json')
})

test('the version is that of the package', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3', err: '' })
})

test.each([
  [['serv'], "error: unknown command 'serv'\n(Did you mean serve?)"],
  [['serve', '--prt', '1'], "error: unknown option '--prt'\n(Did you mean --port?)"],
  [['serve', '-p', 'http'], "error: option '-p, --port <port>' argument 'http' is invalid. expected an integer from 0 to 65535"],
  [['serve', '[429,', '-p', '0'], 'error: schedule: expected a schedule as JSON, received "[429,"'],
  [['serve', '[{"status":429,"retryAfter":null}]', '-p', '0'], 'error: schedule[0].retryAfter: expected seconds'],
  [['serve', 'none.json'], 'error: cannot read none.json: there is no such file or folder'],
  [['serve', '--preset', 'nobody', '-p', '0'], 'error: --preset: expected one of strict, openai'],
  [['probe'], "error: missing required argument 'url'"],
  [['probe', 'nonsense'], 'error: probe <url>: expected an http or https URL'],
  [['probe', 'https://api.example.com', '--no-out'], 'error: --yes is needed, since https://api.example.com is not this machine'],
  [['probe', 'http://127.0.0.1:1', '-c', '3'], 'expected an integer from 1 to 2'],
  [['probe', 'http://127.0.0.1:1', '-H', 'no colon but a secret'], "error: --header: expected 'Name: value'"],
  [['probe', 'http://127.0.0.1:1', '--client', 'none.ts'], 'error: cannot read none.ts: there is no such file'],
  [['check', 'none.ts'], 'error: cannot read none.ts: there is no such file'],
  [['show', 'package.json'], 'error: package.json: expected a saved trial, a list of them'],
  [['diagnose', 'README.md'], 'error: README.md: expected a saved trial'],
  [['probe', 'localhost:1/x'], 'error: probe <url>: expected an http or https URL'],
  [['probe', 'http://127.0.0.1:1', '-X', 'GET', '-d', '{}'], 'error: --method: the built-in client sends no body with GET'],
  [['probe', 'http://127.0.0.1:1', '-X', 'G T'], "error: --method: expected an HTTP method, received 'G T'"],
  [['probe', 'http://127.0.0.1:1', '-H', 'A: b\nc'], 'error: --header: the value of A has a character that no header can hold'],
  [['probe', 'http://127.0.0.1:1', '--allow-host', 'x', '--no-out'], "error: --allow-host: expected host:port, received 'x'"],
  [['probe', 'https://127.0.0.1:1', '--ca', 'README.md', '--no-out'], 'error: --ca: expected certificates in PEM'],
  [
    ['probe', 'http://127.0.0.1:1', '-o', 'no/such/x.json'],
    'error: cannot write no/such/x.json: there is no such file or folder',
  ],
  [
    ['probe', 'http://127.0.0.1:1', '--secret', 'short', '--no-out'],
    'error: --secret: expected at least 6 characters, received 5',
  ],
  [['probe', 'http://127.0.0.1:1', '--redact', '', '--no-out'], "error: --redact: expected a name, received ''"],
  [['serve', '503', '-p', '0'], "error: schedule: expected a JSON list such as '[503,200]', a file, or '-', received '503'"],
  [['serve', '-p', '0', '--reset-on', '/a', '--reset-on', '/b'], 'error: --reset-on: expected one path and one header at most'],
  [['serve', '-p', '0', '--reset-on', 'a b'], "error: --reset-on: expected a /path or the name of a header, received 'a b'"],
  [['serve', '-p', '0', '-o', 'no/such/x.json'], 'error: cannot write no/such/x.json'],
  [['check', 'README.md'], 'error: README.md: expected a module (.js, .mjs,'],
  [['init', 'no/such'], 'error: init: there is no folder no/such'],
  [['batch', '--retired', '2'], 'expected a share from 0 to 1'],
  [['batch', '--strategy', 'hope'], 'expected one of naive, classified, preflight'],
  [['herd', '--case', 'calm'], 'expected one of flaky, herd, metastable'],
  [['batch', '--format', 'svg'], 'choose one: --jobs 200 --workers 16, or --jobs 120 --workers 4'],
  [['preflight', '--live', 'a-1'], 'error: preflight: nothing to read; give --from <paths...>, --env, or both'],
  [['preflight', '--from', 'src'], 'error: preflight: no live models; give --live <ids...>, or --models <file> with some'],
  [['preflight', '--from', 'nowhere', '--live', 'a-1'], 'nowhere cannot be read (ENOENT)'],
  [['preflight', '--from', 'src', '--models', 'package.json'], 'error: package.json: expected a list of models'],
])('%j ends with 2 and says what was expected', async (argv, message) => {
  const { code, err, out } = await run(argv)
  expect(err).toContain(message)
  expect([code, out]).toEqual([2, ''])
})

test('a port that is taken is an error of the input', async () => {
  const { createServer } = await import('node:net')
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const { code, err } = await run(['serve', '-p', String(port)])
  expect([code, err]).toEqual([
    2,
    `error: port ${port} on 127.0.0.1 is in use already: choose another one, or 0 for any free port`,
  ])
  taken.close()
})

test('batch and herd print their tables', async () => {
  const batch = await run(['batch', '--jobs', '20', '--workers', '4', '--runs', '1'])
  expect(batch.code).toBe(0)
  expect(batch.out).toContain('Batch: 20 jobs, 4 workers, 3 with a retired model')
  expect(batch.out.match(/^(naive|classified|preflight) /gm)).toEqual(['naive ', 'classified ', 'preflight '])
  const herd = await run(['herd', '--clients', '2', '--requests-each', '3', '--runs', '1', '--strategy', 'none', '--json'])
  expect(herd.code).toBe(0)
  expect(JSON.parse(herd.out)).toMatchObject({
    kind: 'herd-comparison',
    reports: [{ client: 'none', options: { clients: 2, requestsEach: 3 } }],
  })
})
