// The chart's own NATS permissions, on a real server: they suffice for every role, and a front cannot impersonate an actor.
import { connect } from '@nats-io/transport-node'
import test from 'ava'
import { pino } from 'pino'
import { partitionCount } from '../../src/actors/partition.ts'
import { readConfig } from '../../src/config.ts'
import { makeDatabase } from '../_kit/db.ts'
import { readRendered, readSecretData } from '../_kit/helm.ts'
import { findOne } from '../_kit/helm-manifests.ts'
import { startNats } from '../_kit/nats.ts'
import { signUp } from '../_kit/sign-up.ts'
import { startAll } from '../_kit/start-all.ts'
import { tryAgain } from '../_kit/try-again.ts'
import { until } from '../_kit/until.ts'

const word = 'x'.repeat(32)

test('fronts and actors work with the NATS permissions of the chart', async (t) => {
  const secret = readSecretData(findOne(readRendered('default'), 'Secret', '-nats'))
  const [nats, database] = await Promise.all([startNats({ config: secret['auth.conf'] ?? '' }), makeDatabase()])
  t.teardown(async () => {
    await nats.stop()
    await database.stop()
  })
  const lines: string[] = []
  const log = pino(
    { level: 'warn', serializers: { error: String } },
    { write: (line: string) => void lines.push(line) },
  )
  const start = async (role: 'front' | 'actor', name: string) => {
    const config = readConfig({
      TRACEWRIGHT_ROLES: role,
      TRACEWRIGHT_PORT: '0',
      TRACEWRIGHT_METRICS_PORT: '0',
      TRACEWRIGHT_MEMBER_NAME: name,
      TRACEWRIGHT_DATABASE_URL: database.url,
      TRACEWRIGHT_DRAIN_DELAY_MS: '0',
      TRACEWRIGHT_DECODE_THREADS: '1',
      TRACEWRIGHT_PASSWORD_HASH_MEMORY_MIB: '19',
      // A plan with a quota, so that fronts ask actors.
      TRACEWRIGHT_DEFAULT_PLAN: 'free',
      TRACEWRIGHT_SECRET: role === 'front' ? word : undefined,
      TRACEWRIGHT_NATS_URL: nats.url.replace('nats://', `nats://${role}:${word}@`),
    })
    return await startAll(config, log, (reason) => t.fail(reason))
  }
  const running = await Promise.all([start('front', 'front-a'), start('front', 'front-b'), start('actor', 'actor-0')])
  try {
    const [a, b] = running
    const known = async (port: number): Promise<boolean> =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes(
        `\ntracewright_routes_known ${partitionCount}\n`,
      )
    await until(async () => (await known(a.metricsPort)) && (await known(b.metricsPort)))
    const customer = await signUp(`http://127.0.0.1:${a.port}`)
    const headers = { authorization: `Bearer ${customer.key}` }
    await until(async () => {
      await fetch(`http://127.0.0.1:${b.port}/v1/apply/rules`, { headers })
      const metrics = await (await fetch(`http://127.0.0.1:${b.metricsPort}/metrics`)).text()
      return /tracewright_actor_requests_total\{op="snapshot",result="ok"\} [1-9]/.test(metrics)
    })
    // A busy machine may log other warnings, as that a login took too long.
    t.deepEqual(
      lines.filter((line) => /violation/i.test(line)),
      [],
      'nothing was refused',
    )
  } finally {
    await Promise.all(running.map((one) => one.stop()))
  }

  const login = { servers: nats.url.slice('nats://'.length), user: 'front', pass: word }
  const front = await tryAgain(async () => await connect(login))
  try {
    const refused = new Promise<string>((done) => {
      front.subscribe('tw.p.>', { callback: (error) => done(error?.message ?? '') })
    })
    t.regex(await refused, /permissions violation/i)
  } finally {
    await front.close()
  }
})

test('a name and a word are required', async (t) => {
  const secret = readSecretData(findOne(readRendered('default'), 'Secret', '-nats'))
  const nats = await startNats({ config: secret['auth.conf'] ?? '' })
  try {
    await t.throwsAsync(connect({ servers: nats.url.slice('nats://'.length), reconnect: false }))
  } finally {
    await nats.stop()
  }
})
