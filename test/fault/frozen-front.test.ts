// A front stops in the middle of an ingest transaction whose rows others need: the others continue, and nothing is lost or doubled.
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { makeDatabase } from '../_kit/db.ts'
import { findFreePorts } from '../_kit/free-port.ts'
import { type Link, openLink } from '../_kit/link.ts'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { makePart, type Part } from '../cluster/_part.ts'
import { freezeFront, withoutBound } from './_frozen-front.ts'
import type { Result } from './_under.ts'

/** The control: PostgreSQL does not end its transactions. */
const unbound = 'front-2'
const names = ['front-1', unbound]

const stops: (() => Promise<unknown>)[] = []
test.after.always(async () => {
  for (let end = stops.pop(); end !== undefined; end = stops.pop()) await end()
})

/**
 * Opens two fronts, each with its own link to the database: one of them is frozen, and the other one continues. What they do here needs no
 * actor; the soak has the whole cluster.
 */
async function open() {
  const database = await makeDatabase()
  stops.push(database.stop)
  const ports = await findFreePorts(2 * names.length)
  const shared = {
    SECRET: randomBytes(32).toString('base64url'),
    // Nothing listens there.
    NATS_URL: 'nats://127.0.0.1:1',
    PUBLIC_URL: 'http://localhost:8080',
    AUTH_RATE_LIMITS: 'off',
    PASSWORD_HASH_MEMORY_MIB: 19,
    LOG_LEVEL: 'silent',
    DECODE_THREADS: 1,
    SETTLE_QUIET_MS: 200,
  }
  const links = new Map<string, Link>()
  const fronts = new Map<string, Part>()
  for (const name of names) {
    const link = await openLink(database.url)
    stops.push(link.stop)
    links.set(name, link)
    const front = makePart({
      name,
      role: 'front',
      port: ports.pop() ?? 0,
      metricsPort: ports.pop() ?? 0,
      settings: { ...shared, DATABASE_URL: link.url(database.url) },
      nodeArguments: ['--import', new URL('_mutant.ts', import.meta.url).href],
      env: { MUTANT: JSON.stringify([{ ...withoutBound, member: unbound }]) },
    })
    fronts.set(name, front)
    stops.push(async () => {
      // A frozen process receives no other signal.
      front.signal('SIGCONT')
      await front.end('SIGKILL')
    })
  }
  await Promise.all([...fronts.values()].map(async (front) => await front.start()))
  return { fronts, links, query: database.query }
}

const opening = open()

/**
 * In the suite less than half of what the control waits for, since other tests run beside; `roles/databases.test.ts` checks the setting that
 * bounds the wait. The soak allows what is promised.
 */
const allowedMs = inSoak(12_000, 2_000)

async function freeze(t: ExecutionContext, name: string, allowed: { readonly allowedMs?: number }): Promise<Result> {
  t.timeout(200_000)
  const { fronts, links, query } = await opening
  for (const front of fronts.values()) await until(front.isReady)
  const frozen = fronts.get(name)
  const other = fronts.get(names.find((one) => one !== name) ?? '')
  const link = links.get(name)
  if (frozen === undefined || other === undefined || link === undefined) throw new Error(`${name} and another front`)
  const result = await freezeFront({ frozen, other, link, query, ...allowed })
  t.log(JSON.stringify(result.figures))
  return result
}

test.serial('no workspace waits for its return', async (t) => {
  const { faults, figures } = await freeze(t, 'front-1', { allowedMs })
  t.deepEqual(faults, [], faults.join('; '))
  t.like(figures, { lost: 0, doubled: 0 })
})

test.serial('the control: where PostgreSQL does not end its transaction, they wait', async (t) => {
  const { faults, figures } = await freeze(t, unbound, {})
  t.regex(faults.join('; '), /^a workspace waited \d+ ms for the frozen front; [^;]+$/)
  t.like(figures, { lost: 0, doubled: 0 })
})
