import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { CommandFault } from '../_kit/command.ts'
import { inherited } from '../_kit/inherited.ts'
import { clusterUsage, readLocalOptions, readStatusOptions, statusUsage } from './_options.ts'

test('the options of the cluster have defaults, and a wrong one is named with what it must be', (t) => {
  t.deepEqual(readLocalOptions([]), { restart: false, port: 8_080, fronts: 2, actors: 3 })
  t.like(readLocalOptions(['--restart', '--port', '0', '--actors', '1']), { restart: true, port: 0, actors: 1 })
  t.is(readLocalOptions(['--help']), null)
  for (const [args, message] of [
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
    [['--fronts', '0'], '--fronts must be a whole number from 1 to 20, not "0".'],
    [['--actors', '1.5'], '--actors must be a whole number from 1 to 20, not "1.5".'],
  ] as const)
    t.throws(() => readLocalOptions(args), { instanceOf: CommandFault, message })
  t.true(t.throws(() => readLocalOptions(['--ports']))?.message.endsWith(clusterUsage))
})

test('the status command takes addresses with a scheme only', (t) => {
  t.deepEqual(readStatusOptions([]), { watch: false, json: false, urls: [] })
  t.deepEqual(readStatusOptions(['--json', 'http://a:9464/']), { watch: false, json: true, urls: ['http://a:9464'] })
  t.is(readStatusOptions(['-h']), null)
  t.throws(() => readStatusOptions(['a:9464']), {
    instanceOf: CommandFault,
    message: 'The address of a metrics port must be a URL such as http://host:9464, not "a:9464".',
  })
  t.true(t.throws(() => readStatusOptions(['--all']))?.message.endsWith(statusUsage))
})

type Ended = { readonly code: number; readonly out: string; readonly err: string }

const run = async (name: string, ...args: string[]): Promise<Ended> =>
  await new Promise((done) => {
    const file = fileURLToPath(new URL(name, import.meta.url))
    execFile(process.execPath, [file, ...args], { env: inherited }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })

test('both commands print a fault of their options without a stack, and help on request', async (t) => {
  t.deepEqual(await run('main.ts', '--port', 'x'), {
    code: 1,
    out: '',
    err: '--port must be a whole number from 0 to 65535, not "x".\n',
  })
  t.deepEqual(await run('status.ts', '--help'), { code: 0, out: `${statusUsage}\n`, err: '' })
})
