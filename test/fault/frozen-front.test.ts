// A front that stops in the middle of an ingest transaction, whose rows others need: the others go on, and nothing is lost or doubled.
import test, { type ExecutionContext } from 'ava'
import { late, within } from '../../src/base/within.ts'
import { makeDatabase } from '../_kit/db.ts'
import { openLink } from '../_kit/link.ts'
import { startNats } from '../_kit/nats.ts'
import { signUp } from '../_kit/sign-up.ts'
import { encodeRequest, makeBatch } from '../_kit/spans.ts'
import { watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { openCluster } from '../cluster/_cluster.ts'
import { post } from '../ingest/_http.ts'
import type { Mutation } from './_mutant.ts'

const workspaces = 3
const promisedMs = 2_000
// As long as a front without the bound is waited for here.
const hopelessMs = 5_000

type Seen = {
  /** What a request takes here where nothing is frozen, the longest of some, in ms. */
  readonly usualMs: number
  /** Longest time without an acknowledged request, of each workspace, in ms, less what this machine stood still. */
  readonly gapsMs: readonly number[]
  /** Spans of which a 200 was received, and which are not stored once. */
  readonly faults: readonly string[]
}

/** Two fronts, one of which is stopped while its transaction holds rows of all workspaces; until the other one has stored for each, or `giveUpMs`. */
async function freezeFront(t: ExecutionContext, mutations: readonly Mutation[], giveUpMs: number): Promise<Seen> {
  t.timeout(200_000)
  const database = await makeDatabase()
  t.teardown(database.stop)
  const nats = await startNats()
  t.teardown(nats.stop)
  const link = await openLink(database.url)
  t.teardown(link.stop)
  const cluster = await openCluster({
    databaseUrl: database.url,
    nats,
    actors: 1,
    settings: { DECODE_THREADS: 1, SETTLE_QUIET_MS: 200 },
    partSettings: (name) => (name === 'front-1' ? { DATABASE_URL: link.url(database.url) } : {}),
    nodeArguments: mutations.length > 0 ? ['--import', new URL('_mutant.ts', import.meta.url).href] : [],
    env: { MUTANT: JSON.stringify(mutations) },
  })
  t.teardown(cluster.stop)
  const [frozen, other] = cluster.fronts
  if (frozen === undefined || other === undefined) throw new Error('two fronts')
  const keys = await Promise.all(Array.from({ length: workspaces }, async () => (await signUp(other.baseUrl)).key))
  const acknowledged = new Set<string>()

  /** One request, sent again until it is acknowledged or time is up. */
  async function send(baseUrl: string, key: string, untilMs: number): Promise<boolean> {
    const spans = makeBatch(10, () => ({ attributes: { 'gen_ai.agent.name': 'shared' } }))
    while (performance.now() < untilMs) {
      const sending = post({ baseUrl, key }, encodeRequest(spans)).catch(() => null)
      const reply = await within(untilMs - performance.now(), sending)
      if (reply === late) return false
      if (reply?.status !== 200) continue
      for (const { spanId } of spans) acknowledged.add(Buffer.from(spanId).toString('hex'))
      return true
    }
    return false
  }

  let usualMs = 0
  for (const { baseUrl } of [frozen, other])
    for (const key of keys) {
      const startedAtMs = performance.now()
      t.true(await send(baseUrl, key, startedAtMs + 60_000))
      usualMs = Math.max(usualMs, performance.now() - startedAtMs)
    }
  // All is written by then, and every row is held.
  link.holdFrom('commit\0')
  const thawed = keys.map(async (key) => await send(frozen.baseUrl, key, performance.now() + 120_000))
  const holding = `select from pg_stat_activity
    where datname = current_database() and application_name = 'tracewright-ingest' and state like 'idle in transaction%'`
  await until(async () => link.isHolding() && (await database.query(holding)).length > 0)
  frozen.signal('SIGSTOP')
  const standstill = watchStandstill()
  const gapsMs = await Promise.all(
    keys.map(async (key) => {
      const startedAtMs = performance.now()
      await send(other.baseUrl, key, startedAtMs + giveUpMs)
      return Math.round(performance.now() - startedAtMs - standstill.totalMs())
    }),
  )
  standstill.stop()
  frozen.signal('SIGCONT')
  link.release()
  t.true((await Promise.all(thawed)).every(Boolean))
  const rows = await database.query<{ id: string }>(`select encode(span_id, 'hex') as id from events`)
  const stored = rows.map(({ id }) => id)
  const lost = [...acknowledged].filter((id) => !stored.includes(id))
  const doubled = stored.filter((id, at) => stored.indexOf(id) !== at)
  return {
    usualMs,
    gapsMs,
    faults: [...lost.map((id) => `${id} is lost`), ...doubled.map((id) => `${id} is stored twice`)],
  }
}

test.serial('no workspace waits longer than two seconds for it', async (t) => {
  const { usualMs, gapsMs, faults } = await freezeFront(t, [], 60_000)
  t.log(`${gapsMs.join(', ')} ms; usually at most ${Math.round(usualMs)} ms`)
  t.true(Math.max(...gapsMs) < promisedMs + usualMs)
  t.deepEqual(faults, [])
})

test.serial('the control: where PostgreSQL does not end its transaction, they wait', async (t) => {
  const noBound = {
    file: 'src/roles/databases.ts',
    from: 'idleInTransactionMs: 1_500',
    to: 'idleInTransactionMs: 30_000',
  }
  const { gapsMs, faults } = await freezeFront(t, [noBound], hopelessMs)
  t.log(`${gapsMs.join(', ')} ms`)
  t.true(Math.max(...gapsMs) > promisedMs)
  t.deepEqual(faults, [])
})
