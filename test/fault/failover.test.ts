// A replica that lacks the last commits takes over, and reuses their numbers for other rules and other transactions.
import { randomBytes, randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { makeKeyedSemaphore } from '../../src/base/keyed-semaphore.ts'
import { countWrites } from '../../src/base/rules-version.ts'
import { readRules } from '../../src/decisions/snapshot.ts'
import { makeRepeatedBatch } from '../../src/decode/batch-writer.ts'
import type { BatchOutcome } from '../../src/ingest/batch.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { tailEvents } from '../../src/queries/events/tail-events.ts'
import type { Mark } from '../../src/queries/events/tail-state.ts'
import { openRules } from '../../src/serving/rules.ts'
import type { ServedRules } from '../../src/serving/rules-representation.ts'
import type { Database } from '../../src/store/database.ts'
import { openCursors } from '../../src/web/page.ts'
import { openTestPool } from '../_kit/db.ts'
import { type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { until } from '../_kit/until.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'
import { openReplicatedDatabase, type ReplicatedDatabase } from './_replica.ts'

const open = (url: string): Database => openTestPool(url, { name: 'front', maxConnections: 2 })

/** Holds rules as a front does; each call of `read` reads the database. */
function openFront(url: string) {
  const db = open(url)
  let looks = 0
  const rules = openRules({
    askActor: () => Promise.resolve(null),
    async readDatabase(workspaceId, ifVersion) {
      const found = await readRules({ db, pollAfterS: 30 }, workspaceId, ifVersion)
      looks += 1
      return found
    },
    maxReads: 2,
    isDeaf: () => false,
    onStale: () => undefined,
    onError: () => undefined,
    nowMs: () => performance.now(),
    timeouts: { oldMs: 60_000, invalidatedMs: 60_000 },
  })
  return {
    async read(workspaceId: string) {
      rules.invalidate(workspaceId)
      const before = looks
      const found: { held: ServedRules | null } = { held: null }
      // The first reads after the failover may meet a broken connection, and the result of a read that took seconds is no longer fresh.
      await until(async () => {
        await rules.read(workspaceId)
        found.held = looks > before ? rules.peek(workspaceId) : null
        return found.held !== null
      })
      const { held } = found
      if (held === null) throw new Error('nothing is held')
      const body = JSON.parse(held.plain.body.toString()) as { rules: { decision_id: string }[] }
      return {
        etag: held.plain.etag,
        count: countWrites(held.version),
        ids: body.rules.map((rule) => rule.decision_id),
      }
    },
    async stop() {
      rules.stop()
      await db.stop()
    },
  }
}

/**
 * A check in three steps: the first is taken while the replica receives all commits, the second while commits are lost, the third after the
 * failover.
 */
type Check = (t: ExecutionContext, database: ReplicatedDatabase) => Promise<() => Promise<() => Promise<void>>>

const checkRules: Check = async (t, database) => {
  const fronts = [openFront(database.url), openFront(database.url)]
  t.teardown(async () => void (await Promise.all(fronts.map((front) => front.stop()))))
  /** The control: no trigger runs on this connection, so its writes are identified by the counter alone. */
  async function withoutMarks<T>(work: (query: typeof database.query) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('set session_replication_role = replica')
    try {
      return await work(async (text, values = []) => (await client.query(text, values)).rows as never)
    } finally {
      await client.end()
    }
  }
  const marked = await makeWorkspace(database.query)
  const unmarked = await makeWorkspace(database.query)
  const activate = async () => ({
    marked: await addDecision(database.query, marked, {}),
    unmarked: await withoutMarks(async (query) => await addDecision(query, unmarked, {})),
  })

  return async () => {
    const lost = await activate()
    const before = await Promise.all(fronts.map((front) => front.read(marked)))
    for (const { ids, count } of before) t.deepEqual([ids, count], [[lost.marked], 1])
    for (const front of fronts) t.deepEqual((await front.read(unmarked)).ids, [lost.unmarked])

    return async () => {
      const kept = await activate()
      for (const [at, front] of fronts.entries()) {
        const { ids, count, etag } = await front.read(marked)
        t.deepEqual([ids, count], [[kept.marked], 1])
        t.not(etag, before[at]?.etag)
        t.deepEqual((await front.read(unmarked)).ids, [lost.unmarked], 'the control: the old rules, confirmed')
      }
    }
  }
}

const checkTransactions: Check = async (t, database) => {
  const db = open(database.url)
  t.teardown(db.stop)
  const workspaceId = await makeWorkspace(database.query)
  const seed = (span: number): EventSeed => ({
    start: '2026-03-01T10:00:00Z',
    trace: hexId(1, 32),
    span: hexId(span, 16),
  })
  const store = async (span: number): Promise<void> => await storeEvents(database.query, workspaceId, [seed(span)])
  const readXid = async (): Promise<number> => {
    const [row] = await database.query<{ xid: number }>('select pg_current_xact_id()::text::bigint as xid')
    return row?.xid ?? Number.NaN
  }
  const cursors = openCursors([randomBytes(32)])
  const scope = { route: 'tail', workspaceId, filters: {} }
  const tail = async (cursor?: string) =>
    await tailEvents(
      {
        db,
        cursors,
        commits: { wait: () => Promise.resolve() },
        turns: makeKeyedSemaphore(1, Number.POSITIVE_INFINITY),
      },
      {
        userId: randomUUID(),
        workspaceId,
        filters: {},
        cursor,
        limit: 10,
        waitMs: 0,
        signal: new AbortController().signal,
      },
    )

  /** Repeats a request whose spans were all stored where `storedOn` says. */
  async function repeat(storedOn?: string): Promise<Pick<BatchOutcome, 'duplicate' | 'timeline'>> {
    const bounds = { rejections: [], eventQuota: null, agentCap: null, granted: null }
    const batch = { ...makeRepeatedBatch(5), workspaceId, ...bounds, ...(storedOn === undefined ? {} : { storedOn }) }
    const [outcome] = await storeGroup(db, [batch])
    if (outcome === undefined) throw new Error('there is no outcome')
    return outcome
  }

  return async () => {
    // More numbers are lost than the statements after the failover use.
    const lostFrom = await readXid()
    for (let xid = lostFrom; xid < lostFrom + 20 || xid % 20 !== 0; xid = await readXid());
    const seen = await tail()
    const lastXid = await readXid()
    const { timeline } = await repeat()
    if (timeline === null) throw new Error('there is no timeline')
    t.like(await repeat(timeline), { duplicate: 5 })
    if (!seen.ok) throw new Error(seen.code)
    const { nextCursor } = seen.value

    return async () => {
      t.like(await repeat(timeline), { duplicate: 0 })
      t.like(await repeat(), { duplicate: 5 }, 'the control')
      await store(1)
      t.true((await readXid()) < lastXid, 'the event has the number of a transaction that was lost')
      t.deepEqual(await tail(nextCursor), { ok: false, code: 'cursor_invalid' })
      while ((await readXid()) <= lastXid);
      t.deepEqual(
        await tail(nextCursor),
        { ok: false, code: 'cursor_invalid' },
        'also once the numbers are above those lost',
      )

      const opened = cursors.open<Mark & { until: null; at: null; told: number }>(scope, nextCursor)
      if (!opened.ok) return t.fail()
      const before = await tail(cursors.seal(scope, { ...opened.value.state, timeline: null }))
      t.like(before, { ok: true, value: { rows: [], skipped: 1 } }, 'the control')

      const anew = await tail()
      if (!anew.ok) return t.fail()
      await store(2)
      const next = await tail(anew.value.nextCursor)
      t.is(next.ok && next.value.rows.length, 1)
    }
  }
}

// One failover for all, since a replica costs more than the checks.
test('after a failover, lost transactions are detected in cursors of a tail, for repeated requests, and in rules whose number was reused; the controls without marks fail', async (t) => {
  t.timeout(300_000)
  const database = await openReplicatedDatabase()
  t.teardown(database.stop)
  const [loseTransactions, loseRules] = [await checkTransactions(t, database), await checkRules(t, database)]
  await database.loseTail()
  const [compareTransactions, compareRules] = [await loseTransactions(), await loseRules()]
  await database.failOver()
  // First, since every other write takes one of the lost numbers.
  await compareTransactions()
  await compareRules()
})
