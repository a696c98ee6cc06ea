import { spawnSync } from 'node:child_process'
import test from 'ava'

// In a separate process, since the log writes to standard output itself.
const script = `
  import { Outage } from '${new URL('../../src/base/fault.ts', import.meta.url).href}'
  import { makeLog } from '${new URL('../../src/telemetry/log.ts', import.meta.url).href}'
  const log = makeLog('info')
  log.warn({ error: new Outage('failure', 'away', { cause: new Error('refused') }) }, 'outage')
  log.error({ error: new Error('broken', { cause: new Error('reason') }) }, 'bug')
  // As node fails to connect to a name with two addresses, and as a stop of several parts fails.
  const attempts = ['::1', '127.0.0.1'].map((ip) => Object.assign(new Error('refused by ' + ip), { code: 'ECONNREFUSED' }))
  log.error({ error: new AggregateError([new Outage('failure', 'away', { cause: new AggregateError(attempts) })], 'not stopped') }, 'several')
  const circle = new Error('circle')
  circle.cause = circle
  log.error({ error: circle }, 'circle')
`

type Line = {
  readonly error: {
    readonly stack?: string
    readonly message: string
    readonly cause: object
    readonly errors: readonly { readonly cause?: object }[]
  }
}

function readLines(): { readonly lines: readonly Line[]; readonly stderr: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const texts = stdout.split('\n').filter((text) => text !== '')
  return { lines: texts.map((text) => JSON.parse(text) as Line), stderr }
}

test('an outage is logged without stacks, with its causes, and a bug with them', (t) => {
  const { lines, stderr } = readLines()
  const [outage, bug] = lines
  t.is(stderr, '')
  t.deepEqual(outage?.error, {
    type: 'Outage',
    message: 'away',
    cause: { type: 'Error', message: 'refused' },
  } as object)
  t.regex(bug?.error.stack ?? '', /^Error: broken\n/)
  t.like(bug?.error.cause, { type: 'Error', message: 'reason' })
  t.true('stack' in (bug?.error.cause ?? {}))
})

test('a failure that is made of several is logged with each of them, and one that is its own cause with an end', (t) => {
  const [several, circle] = readLines().lines.slice(2)
  const code = 'ECONNREFUSED'
  t.is(several?.error.message, 'not stopped')
  t.like(several?.error.errors[0], { type: 'Outage', message: 'away' })
  t.like(several?.error.errors[0]?.cause ?? {}, {
    type: 'AggregateError',
    errors: [
      { type: 'Error', message: 'refused by ::1', code },
      { type: 'Error', message: 'refused by 127.0.0.1', code },
    ],
  })
  t.is(circle?.error.message, 'circle')
})
