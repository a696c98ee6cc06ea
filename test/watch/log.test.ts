import { spawnSync } from 'node:child_process'
import test from 'ava'

// In a process of its own, since the log writes to standard output itself.
const script = `
  import { Outage } from '${new URL('../../src/base/fault.ts', import.meta.url).href}'
  import { makeLog } from '${new URL('../../src/watch/log.ts', import.meta.url).href}'
  const log = makeLog('info')
  log.warn({ error: new Outage('away', { cause: new Error('refused') }) }, 'outage')
  log.error({ error: new Error('broken', { cause: new Error('reason') }) }, 'bug')
`

type Line = { readonly error: { readonly stack?: string; readonly message: string; readonly cause: object } }

test('an outage is logged without stacks, with its causes, and a bug with them', (t) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const lines = stdout.trim().split('\n')
  t.is(lines.length, 2, stderr)
  const [outage, bug] = lines.map((line) => JSON.parse(line) as Line)
  t.deepEqual(outage?.error, {
    type: 'Outage',
    message: 'away',
    cause: { type: 'Error', message: 'refused' },
  } as object)
  t.regex(bug?.error.stack ?? '', /^Error: broken\n/)
  t.like(bug?.error.cause, { type: 'Error', message: 'reason' })
  t.true('stack' in (bug?.error.cause ?? {}))
})
