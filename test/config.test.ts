// The configuration: all errors are reported at once, and no error is overlooked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { ConfigFault, readConfig } from '../src/config.ts'
import { settings } from '../src/settings.ts'
import { describeConfig } from './shape/_config-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-'))
test.after.always(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const secret = 'a secret of more than thirty-two characters'

/** Returns the faults of an environment; fails if there are none. */
function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults
    throw error
  }
  throw new Error('the environment was accepted')
}

test('an empty environment gives the defaults: everything, embedded, on loopback', (t) => {
  const config = readConfig({})
  t.is(config.ROLES, 'all')
  t.is(config.HOST, '127.0.0.1')
  t.is(config.PORT, 8080)
  t.is(config.DATABASE_URL, undefined)
  t.is(config.INGEST_MAX_BODY_BYTES, 16 * 1_048_576)
  t.is(config.INGEST_MAX_INFLATED_BYTES, 64 * 1_048_576)
  t.is(config.INGEST_MAX_SPANS, 10_000)
  t.is(config.INGEST_MAX_AGE_S, 7 * 86_400)
  t.is(config.INGEST_MAX_AHEAD_S, 600)
})

test('without a public URL, the issuer is localhost on the port of the interface', (t) => {
  const publicUrlOf = (env: NodeJS.ProcessEnv): string => readConfig(env).PUBLIC_URL
  t.is(publicUrlOf({}), 'http://localhost:8080')
  t.is(publicUrlOf({ TRACEWRIGHT_PORT: '9090' }), 'http://localhost:9090')
  // With port 0, the system's choice is not known when the first token is issued.
  t.is(publicUrlOf({ TRACEWRIGHT_PORT: '0' }), 'http://localhost:8080')
  const given = 'https://agents.example.com'
  t.is(publicUrlOf({ TRACEWRIGHT_PORT: '9090', TRACEWRIGHT_PUBLIC_URL: given }), given)
})

test('variables without the prefix are ignored', (t) => {
  t.notThrows(() => readConfig({ PORT: 'none', PATH: '/bin', MY_TRACEWRIGHT_PORT: 'x' }))
})

test('all errors are reported at once, each with the name of its variable', (t) => {
  const faults = faultsOf({
    TRACEWRIGHT_PORT: '70000',
    TRACEWRIGHT_LOG_LEVEL: 'loud',
    TRACEWRIGHT_DATABASE_URL: 'mysql://localhost/x',
    TRACEWRIGHT_SECRET: 'short',
    TRACEWRIGHT_DECODE_THREADS: '0',
    TRACEWRIGHT_PRT: '1',
  })
  for (const name of ['DATABASE_URL', 'DECODE_THREADS', 'LOG_LEVEL', 'PORT', 'PRT', 'SECRET']) {
    t.true(
      faults.some((fault) => fault.startsWith(`TRACEWRIGHT_${name}: `)),
      name,
    )
  }
  t.is(faults.length, 6)
})

test('the message contains every error and no value', (t) => {
  const env = { TRACEWRIGHT_SECRET: 'hunter2', TRACEWRIGHT_PORT: 'hunter3' }
  const error = t.throws(() => readConfig(env), { instanceOf: ConfigFault })
  t.regex(error.message, /SECRET/)
  t.regex(error.message, /PORT/)
  t.notRegex(error.message, /hunter/)
})

test('an unknown variable with the prefix is an error', (t) => {
  for (const name of ['TRACEWRIGHT_PROT', 'TRACEWRIGHT_toString', 'TRACEWRIGHT___proto__'])
    t.deepEqual(faultsOf({ [name]: 'x' }), [
      `${name}: unknown setting; deploy/docs/configuration.md lists all settings`,
    ])
  t.is(faultsOf({ TRACEWRIGHT_PROT_FILE: '/nowhere' }).length, 1)
})

test('a setting in another letter case is an error, since it would have no effect', (t) => {
  t.deepEqual(faultsOf({ tracewright_port: '1', Tracewright_PORT: '2' }), [
    'tracewright_port: unknown setting; the names of settings are in upper case',
    'Tracewright_PORT: unknown setting; the names of settings are in upper case',
  ])
})

test('invalid, unknown and conflicting settings are listed together', (t) => {
  const faults = faultsOf({
    TRACEWRIGHT_PROT: '1',
    TRACEWRIGHT_LOG_LEVEL: 'loud',
    TRACEWRIGHT_NATS_URL: 'nats://localhost',
    TRACEWRIGHT_NATS_CA_FILE: join(folder, 'missing.pem'),
    TRACEWRIGHT_NATS_KEY_FILE: folder,
    TRACEWRIGHT_SECRET_FILE: join(folder, 'missing'),
    TRACEWRIGHT_PORT: '9464',
  })
  t.deepEqual(faults.map((fault) => (fault.split(':')[0] ?? '').replace('TRACEWRIGHT_', '')).toSorted(), [
    'DATABASE_URL',
    'LOG_LEVEL',
    'METRICS_PORT',
    'NATS_CA_FILE',
    'NATS_KEY_FILE',
    'PROT',
    'SECRET_FILE',
  ])
  t.regex(faults.join('\n'), /NATS_CA_FILE: cannot read .*missing\.pem \(ENOENT\)/)
  t.regex(faults.join('\n'), /NATS_KEY_FILE: cannot read .* \(EISDIR\)/)
})

test('a conflict with an invalid setting is not reported: the invalid value is', (t) => {
  t.deepEqual(
    faultsOf({ TRACEWRIGHT_NATS_URL: 'nats://localhost', TRACEWRIGHT_DATABASE_URL: 'mysql://localhost' }).map(
      (fault) => fault.split(':')[0],
    ),
    ['TRACEWRIGHT_DATABASE_URL'],
  )
})

test('the two ports differ, unless the system picks them', (t) => {
  const ports = (port: string) => ({ TRACEWRIGHT_PORT: port, TRACEWRIGHT_METRICS_PORT: port })
  t.deepEqual(faultsOf(ports('8080')), ['TRACEWRIGHT_METRICS_PORT: must differ from TRACEWRIGHT_PORT'])
  t.is(readConfig(ports('0')).METRICS_PORT, 0)
})

test('a NATS URL has a scheme of NATS, and its error does not contain it', (t) => {
  for (const url of [
    'http://u:hunter2@localhost',
    '',
    ' , ',
    'nats://localhost, ws://u:hunter2@localhost',
    'nats://hunter2%zz@a',
  ]) {
    const faults = faultsOf({ TRACEWRIGHT_NATS_URL: url })
    t.regex(faults.join(), /^TRACEWRIGHT_NATS_URL: must be a URL such as/, url)
    t.notRegex(faults.join(), /hunter/)
  }
})

test('a password that is not encoded as URLs require is listed among the faults', (t) => {
  const given = { TRACEWRIGHT_NATS_URL: 'nats://u:50%@a', TRACEWRIGHT_DATABASE_URL: 'postgres://u:50%@a/x' }
  const names = faultsOf({ ...given, TRACEWRIGHT_PORT: 'x' }).map((fault) => fault.split(':')[0])
  t.deepEqual(names, ['TRACEWRIGHT_PORT', 'TRACEWRIGHT_DATABASE_URL', 'TRACEWRIGHT_NATS_URL'])
})

test('a public URL may have a path, but nothing that a path cannot be added to', (t) => {
  const base = 'https://traces.example.com/tracewright/'
  t.is(readConfig({ TRACEWRIGHT_PUBLIC_URL: base }).PUBLIC_URL, base)
  for (const url of [`${base}?a=b`, `${base}?`, `${base}#a`, 'https://user:word@traces.example.com'])
    t.deepEqual(faultsOf({ TRACEWRIGHT_PUBLIC_URL: url }), [
      'TRACEWRIGHT_PUBLIC_URL: must have no query, fragment or credentials',
    ])
})

test('each error says which values are allowed', (t) => {
  const expected: Readonly<Record<string, string>> = {
    ROLES: 'must be one of "all", "front", "actor", "front,actor", "migrate", "rebuild"',
    HOST: 'must not be empty',
    PORT: 'must be a whole number from 0 to 65535',
    METRICS_PORT: 'must be a whole number from 0 to 65535',
    DATABASE_URL: 'must be a URL such as postgres://user:password@host:5432/database',
    SECRET: 'must have at least 32 characters',
    PUBLIC_URL: 'must be a URL such as https://traces.example.com',
    SMTP_URL: 'must be a URL such as smtp://user:password@mail.example.com:587',
    LOG_LEVEL: 'must be one of "debug", "info", "warn", "error", "silent"',
    REBUILD_WORKSPACE: 'must be the id of a workspace, a UUID',
    REBUILD_FROM: 'must be a time such as 2026-01-31T00:00:00Z',
  }
  const env = Object.fromEntries(Object.keys(expected).map((name) => [`TRACEWRIGHT_${name}`, '']))
  const faults = faultsOf({ ...env, TRACEWRIGHT_METRICS_PORT: '65536' })
  t.deepEqual(
    faults,
    Object.entries(expected).map(([name, message]) => `TRACEWRIGHT_${name}: ${message}`),
  )
})

test('a number with anything around it is refused', (t) => {
  for (const value of ['80a', '1.5', 'NaN', 'Infinity', '-1', '', ' ']) {
    t.deepEqual(
      faultsOf({ TRACEWRIGHT_PORT: value }).map((fault) => fault.split(':')[0]),
      ['TRACEWRIGHT_PORT'],
      JSON.stringify(value),
    )
  }
})

test('a value may come from a file, without the line end that editors add', (t) => {
  const config = readConfig({
    TRACEWRIGHT_SECRET_FILE: file('secret', `${secret}\n`),
    TRACEWRIGHT_PORT_FILE: file('port', '81\n'),
  })
  t.is(config.SECRET, secret)
  t.is(config.PORT, 81)
})

test('the error of a file that cannot be read names the variable', (t) => {
  const [fault = ''] = faultsOf({ TRACEWRIGHT_SECRET_FILE: join(folder, 'missing') })
  t.regex(fault, /^TRACEWRIGHT_SECRET_FILE: .*ENOENT/)
})

test('a setting that is set both directly and by a file is refused, in either order', (t) => {
  const TRACEWRIGHT_SECRET_FILE = file('twice', secret)
  for (const env of [
    { TRACEWRIGHT_SECRET: secret, TRACEWRIGHT_SECRET_FILE },
    { TRACEWRIGHT_SECRET_FILE, TRACEWRIGHT_SECRET: secret },
  ]) {
    t.regex(faultsOf(env).join(), /TRACEWRIGHT_SECRET: is set twice/)
  }
})

test('DATABASE_URL requires the secret that all processes share', (t) => {
  const TRACEWRIGHT_DATABASE_URL = 'postgres://localhost/x'
  t.regex(faultsOf({ TRACEWRIGHT_DATABASE_URL }).join(), /TRACEWRIGHT_SECRET/)
  t.is(readConfig({ TRACEWRIGHT_DATABASE_URL, TRACEWRIGHT_SECRET: secret }).DATABASE_URL, TRACEWRIGHT_DATABASE_URL)
})

test('SECRET_OTHER must differ from SECRET, and may be set without it', (t) => {
  const other = `${secret} and more`
  t.regex(
    faultsOf({ TRACEWRIGHT_SECRET: secret, TRACEWRIGHT_SECRET_OTHER: secret }).join(),
    /SECRET_OTHER: must differ/,
  )
  t.regex(faultsOf({ TRACEWRIGHT_SECRET_OTHER: 'short' }).join(), /^TRACEWRIGHT_SECRET_OTHER: /)
  t.is(readConfig({ TRACEWRIGHT_SECRET_OTHER: other }).SECRET_OTHER, other)
})

test('only roles that open sealed data require the secret with a database', (t) => {
  const env = { TRACEWRIGHT_DATABASE_URL: 'postgres://localhost/x', TRACEWRIGHT_NATS_URL: 'nats://localhost' }
  for (const TRACEWRIGHT_ROLES of ['actor', 'migrate', 'rebuild'])
    t.is(readConfig({ ...env, TRACEWRIGHT_ROLES }).SECRET, undefined, TRACEWRIGHT_ROLES)
  for (const TRACEWRIGHT_ROLES of ['all', 'front', 'front,actor'])
    t.regex(faultsOf({ ...env, TRACEWRIGHT_ROLES }).join(), /TRACEWRIGHT_SECRET/, TRACEWRIGHT_ROLES)
})

test('the roles of a cluster require NATS, and NATS requires a database', (t) => {
  const given = { TRACEWRIGHT_DATABASE_URL: 'postgres://localhost/x', TRACEWRIGHT_SECRET: secret }
  const nats = { TRACEWRIGHT_NATS_URL: 'nats://localhost' }
  for (const role of ['front', 'actor'] as const) {
    t.regex(faultsOf({ ...given, TRACEWRIGHT_ROLES: role }).join(), /NATS_URL: is required/)
    t.is(readConfig({ ...given, ...nats, TRACEWRIGHT_ROLES: role }).ROLES, role)
  }
  t.is(readConfig({ TRACEWRIGHT_ROLES: 'front,actor' }).NATS_URL, undefined)
  t.regex(faultsOf(nats).join(), /DATABASE_URL: is required/)
  t.regex(faultsOf({ ...given, TRACEWRIGHT_NATS_PREFIX: 'prod' }).join(), /NATS_PREFIX: has no effect/)
  t.is(faultsOf({ ...given, ...nats, TRACEWRIGHT_NATS_PREFIX: 'a..b', TRACEWRIGHT_MEMBER_NAME: 'a.b' }).length, 2)
})

test('mail requires a server, a sender and the base URL of its links', (t) => {
  const given = {
    TRACEWRIGHT_SMTP_URL: 'smtp://user:word@mail.example.com:587?requireTLS=true',
    TRACEWRIGHT_SMTP_FROM: 'Tracewright <no-reply@example.com>',
    TRACEWRIGHT_PUBLIC_URL: 'https://traces.example.com',
  }
  t.is(readConfig(given).SMTP_URL, given.TRACEWRIGHT_SMTP_URL)
  for (const name of Object.keys(given)) {
    const faults = faultsOf({ ...given, [name]: undefined })
    t.is(faults.length, 1)
    t.regex(
      faults.join(),
      name === 'TRACEWRIGHT_SMTP_URL' ? /SMTP_FROM: has no effect/ : new RegExp(`^${name}: is required`),
    )
  }
  t.regex(faultsOf({ ...given, TRACEWRIGHT_SMTP_URL: 'http://mail.example.com' }).join(), /^TRACEWRIGHT_SMTP_URL: /)
  t.regex(faultsOf({ ...given, TRACEWRIGHT_SMTP_FROM: 'a@b.c\r\nBcc: d@e.f' }).join(), /^TRACEWRIGHT_SMTP_FROM: /)
})

test('a setting that is itself a file is not read as the value of another', (t) => {
  const ca = file('ca.pem', '')
  const config = readConfig({
    TRACEWRIGHT_DATABASE_URL: 'postgres://localhost/x',
    TRACEWRIGHT_SECRET: secret,
    TRACEWRIGHT_NATS_URL_FILE: file('nats', 'nats://localhost'),
    TRACEWRIGHT_NATS_CA_FILE: ca,
  })
  t.is(config.NATS_URL, 'nats://localhost')
  t.is(config.NATS_CA_FILE, ca)
})

test('a retention shorter than the maximum age of spans is an error', (t) => {
  const days = (count: string) => ({ TRACEWRIGHT_RETENTION_DAYS: count })
  t.regex(faultsOf(days('7')).join(), /RETENTION_DAYS.*INGEST_MAX_AGE_S/)
  t.is(readConfig(days('8')).RETENTION_DAYS, 8)
  t.is(readConfig({}).RETENTION_DAYS, undefined)
  t.is(faultsOf({ ...days('30'), TRACEWRIGHT_INGEST_MAX_AGE_S: '2592000' }).length, 1)
})

test('a rebuild that ends before it begins is an error', (t) => {
  const between = (from: string, to: string) => ({ TRACEWRIGHT_REBUILD_FROM: from, TRACEWRIGHT_REBUILD_TO: to })
  t.regex(faultsOf(between('2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z')).join(), /REBUILD_TO.*REBUILD_FROM/)
  t.like(readConfig(between('2026-01-01T00:00:00Z', '2026-01-02T00:00:00+05:00')), {
    REBUILD_FROM: '2026-01-01T00:00:00Z',
  })
  t.is(faultsOf({ TRACEWRIGHT_REBUILD_FROM: 'yesterday', TRACEWRIGHT_REBUILD_WORKSPACE: 'mine' }).length, 2)
})

test('CORS origins must be written exactly as browsers send them', (t) => {
  const read = (text: string) => readConfig({ TRACEWRIGHT_CORS_ORIGINS: text }).CORS_ORIGINS
  t.deepEqual(read('https://a.example, http://localhost:5173'), ['https://a.example', 'http://localhost:5173'])
  t.is(readConfig({}).CORS_ORIGINS, undefined)
  for (const text of ['*', 'null', '', 'a.example', 'https://a.example/', 'https://A.example', 'https://a.example:443'])
    t.regex(faultsOf({ TRACEWRIGHT_CORS_ORIGINS: text }).join(), /CORS_ORIGINS: must be origins/, text)
})

test('every setting is described, in the table too', (t) => {
  for (const [name, schema] of Object.entries(settings)) {
    t.true((schema.description ?? '').length > 10, name)
    t.true(describeConfig().includes(`| \`TRACEWRIGHT_${name}\` |`), name)
  }
})

test('the role migrate creates two different users, in the database that it migrates', (t) => {
  const url = (user: string, place = 'database:5432/x') => `postgres://${user}:word@${place}`
  const given = { TRACEWRIGHT_ROLES: 'migrate', TRACEWRIGHT_DATABASE_URL: url('owner') }
  const faults = (front: string, actor: string) =>
    faultsOf({ ...given, TRACEWRIGHT_FRONT_DATABASE_URL: front, TRACEWRIGHT_ACTOR_DATABASE_URL: actor })
  t.is(
    readConfig({ ...given, TRACEWRIGHT_FRONT_DATABASE_URL: url('front', 'DATABASE/x') }).FRONT_DATABASE_URL,
    url('front', 'DATABASE/x'),
  )
  t.regex(faults(url('same'), url('same')).join(), /^TRACEWRIGHT_ACTOR_DATABASE_URL: must name another user/)
  for (const place of ['other:5432/x', 'database:5433/x', 'database:5432/y'])
    t.deepEqual(faults(url('front', place), url('actor')), [
      'TRACEWRIGHT_FRONT_DATABASE_URL: must have the host, port and database of TRACEWRIGHT_DATABASE_URL',
    ])
})
