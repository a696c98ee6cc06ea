// How often a commit waits for PostgreSQL, and how long others wait if it is frozen in the middle.
import test, { type ExecutionContext } from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { Database } from '../../src/store/database.ts'
import { type BatchOptions, insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { type Link, openLink } from '../_kit/link.ts'
import { until } from '../_kit/until.ts'

const openIngest = (url: string, idleInTransactionMs: number, name = 'ingest'): Database =>
  openTestPool(url, { name, maxConnections: 1, idleInTransactionMs, keyLookups: true })

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

test.serial(
  'a group takes two round trips; a new agent, spans that come again and a cap take one more each',
  async (t) => {
    const link = await openLink(base.url)
    const db = openIngest(link.url(base.url), 30_000)
    const trips = async (workspace: string, agents: readonly string[], options: BatchOptions = {}): Promise<number> => {
      const before = link.roundTrips()
      const events = agents.map((agentOwn) => makeEvent({ agentOwn }))
      const [outcome] = await storeGroup(db, [makeBatch(workspace, events, options)])
      t.is(outcome?.stored, events.length)
      return link.roundTrips() - before
    }
    const workspace = await insertWorkspaceRow(base.query)
    await trips(workspace, ['a'])
    t.is(await trips(workspace, ['a', 'a']), 2)
    t.is(await trips(workspace, ['a', 'b']), 3)
    const capped = await insertWorkspaceRow(base.query, 'free')
    const caps = { eventQuota: 100, granted: 100, agentCap: 5 }
    t.is(await trips(capped, ['a'], caps), 4)
    t.is(await trips(capped, ['a'], caps), 2, 'with a grant, a quota costs none')
    t.is(await trips(capped, ['a'], { ...caps, granted: 0 }), 3)
    await db.stop()
    await link.stop()
  },
)

/** Longer than any test: PostgreSQL does not end the transaction. */
const noLimitMs = 600_000

type Frozen = {
  readonly link: Link
  readonly workspace: string
  readonly ended: Promise<unknown>
}

/** A commit to an existing trace, agent and month, which stops before it sends this text. */
async function freezeBefore(t: ExecutionContext, text: string, idleInTransactionMs: number): Promise<Frozen> {
  const link = await openLink(base.url)
  const db = openIngest(link.url(base.url), idleInTransactionMs, 'frozen')
  t.teardown(async () => {
    await link.stop()
    await db.stop()
    await until(async () => !(await isOpen()))
  })
  const workspace = await insertWorkspaceRow(base.query)
  const first = makeEvent({ agentOwn: 'a', traceId })
  await storeGroup(base.db, [makeBatch(workspace, [first])])
  // Prepares the statements, so that later only their names are sent.
  await storeGroup(db, [makeBatch(workspace, [makeEvent({ agentOwn: 'a', traceId })])])
  link.holdFrom(text, 'tracewright-frozen')
  const ended = storeGroup(db, [makeBatch(workspace, [makeEvent({ agentOwn: 'a', traceId })])]).catch(
    (error: unknown) => error,
  )
  await until(() => link.isHolding())
  return { link, workspace, ended }
}

/** Stops with the row of its trace locked. PostgreSQL may execute what it received later; only then do others wait for the row. */
async function freezeWriting(t: ExecutionContext, idleInTransactionMs: number): Promise<Frozen> {
  const frozen = await freezeBefore(t, 'ingest/upsert-agents', idleInTransactionMs)
  await until(async () => (await isTraceLocked(frozen.workspace)) || !(await isOpen()))
  return frozen
}

const traceId = '07'.repeat(16)
const listOpen = `select from pg_stat_activity where application_name = 'tracewright-frozen'
  and datname = current_database() and xact_start is not null`
const isOpen = async (): Promise<boolean> => (await base.query(listOpen)).length > 0
const isTraceLocked = async (workspace: string): Promise<boolean> =>
  (await base.query('select from traces where workspace_id = $1 for update skip locked', [workspace])).length === 0
const listFrozen = `select from pg_stat_activity where application_name = 'tracewright-frozen'
  and datname = current_database() and state like 'idle in transaction%'`
const listBlocked = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
const isFrozen = async (): Promise<boolean> => (await base.query(listFrozen)).length === 1

const storeBeside = async (workspace: string): Promise<number | undefined> =>
  (await storeGroup(base.db, [makeBatch(workspace, [makeEvent({ agentOwn: 'a', traceId })])]))[0]?.stored

/** Ends the frozen commit, and returns its error. */
async function cutOff({ link, ended }: Frozen): Promise<unknown> {
  await link.stop()
  return await ended
}

test.serial('no other commit waits for one that is frozen before it writes', async (t) => {
  const frozen = await freezeBefore(t, 'copy events', noLimitMs)
  await until(isFrozen)
  t.is(await storeBeside(frozen.workspace), 1)
  t.true(await isFrozen(), 'it was still frozen when the other one was done')
  t.truthy(await cutOff(frozen))
})

test.serial(
  'one that is frozen while it writes is ended by PostgreSQL, and nobody waits longer than for that',
  async (t) => {
    const frozen = await freezeWriting(t, 1_500)
    t.is(await storeBeside(frozen.workspace), 1)
    // Its locks are released before its session leaves the list.
    await until(async () => !(await isFrozen()))
    t.truthy(await cutOff(frozen))
    const [stored] = await base.query<{ n: number }>('select count(*)::int as n from events where workspace_id = $1', [
      frozen.workspace,
    ])
    t.is(stored?.n, 3, 'nothing of the frozen one')
  },
)

test.serial('a process that pauses in the middle of a commit still stores it', async (t) => {
  const frozen = await freezeBefore(t, 'copy events', 1_500)
  await until(async () => !(await isOpen()))
  frozen.link.release()
  t.is(((await frozen.ended) as readonly { stored: number }[])[0]?.stored, 1)
})

test.serial('the control: where PostgreSQL does not end it, the other one waits', async (t) => {
  const frozen = await freezeWriting(t, noLimitMs)
  const beside = storeBeside(frozen.workspace)
  await until(async () => (await base.query(listBlocked)).length > 0)
  // Its session may still execute what it received.
  await until(isFrozen)
  t.truthy(await cutOff(frozen))
  t.is(await beside, 1)
})
