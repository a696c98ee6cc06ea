import test from 'ava'
import pg from 'pg'
import type { Event } from '../../src/event/event.ts'
import { rowCount } from '../../src/ingest/batch.ts'
import { openLikelyDuplicates } from '../../src/ingest/commit/likely-duplicates.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { countBehind } from '../_kit/lock-waits.ts'
import { until } from '../_kit/until.ts'
import { watch } from './_watch.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const makeCalls = (count: number): Event[] =>
  Array.from({ length: count }, () => makeLlmEvent(10, 1, { agentOwn: 'planner' }))

async function readSums(on: TestDatabase, workspace: string): Promise<object | undefined> {
  const [row] = await on.query(
    `select (select count(*)::int from events where workspace_id = $1) as events,
       (select sum(span_count)::int from traces where workspace_id = $1) as spans,
       (select sum(events)::int from agents where workspace_id = $1) as of_agents,
       (select sum(events)::int from commits where workspace_id = $1) as told,
       (select sum(accepted)::int from usage_months where workspace_id = $1) as accepted`,
    [workspace],
  )
  return row
}

const sumsOf = (count: number): object => ({
  events: count,
  spans: count,
  of_agents: count,
  told: count,
  accepted: count,
})

/** Two commits of the same new spans, neither of which sees the other's when it looks for stored spans. */
async function race(on: TestDatabase, workspace: string) {
  await storeGroup(on.db, [makeBatch(workspace, makeCalls(1))])
  const events = makeCalls(40)
  const rivals = [watch(on.db), watch(on.db)]
  const holder = new pg.Client({ connectionString: on.url })
  await holder.connect()
  try {
    await holder.query('begin')
    // A commit locks its agents after this look-up, and before it writes.
    await holder.query('select from agents where workspace_id = $1 for update', [workspace])
    const stored = Promise.all(rivals.map(async (db) => await storeGroup(db, [makeBatch(workspace, events)])))
    // Only these two: concurrent tests wait for rows of their own.
    await until(async () => (await countBehind(holder)) === rivals.length)
    await holder.query('rollback')
    return { outcomes: (await stored).flat(), failures: rivals.flatMap(({ failures }) => failures) }
  } finally {
    await holder.end()
  }
}

test('concurrent commits that both check before either writes store each span once, and each reports the right outcome', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const { outcomes, failures } = await race(base, workspace)
  t.deepEqual(failures, ['23505'], 'one of them met the primary key and tried again')
  t.deepEqual(
    outcomes.map(({ stored, duplicate }) => [stored, duplicate]).sort(([a = 0], [b = 0]) => a - b),
    [
      [0, 40],
      [40, 0],
    ],
  )
  t.deepEqual(await readSums(base, workspace), sumsOf(41))
})

test('without the primary key, the same rivals store every span twice: the control', async (t) => {
  const other = await makeDatabase()
  const workspace = await insertWorkspaceRow(other.query)
  await other.query('alter table events drop constraint events_pkey')
  const { outcomes, failures } = await race(other, workspace)
  t.deepEqual(failures, [])
  t.deepEqual(
    outcomes.map(({ stored }) => stored),
    [40, 40],
  )
  await other.stop()
})

test('a span in two requests of one group is stored once, whatever its position', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const shared = makeCalls(5)
  const db = watch(base.db)
  const outcomes = await storeGroup(db, [
    makeBatch(workspace, [...makeCalls(3), ...shared]),
    makeBatch(workspace, [...makeCalls(7), ...shared.toReversed(), ...makeCalls(1)]),
  ])
  t.deepEqual(
    outcomes.map(({ stored, duplicate }) => [stored, duplicate]),
    [
      [8, 0],
      [8, 5],
    ],
  )
  t.deepEqual(db.failures, ['23505'])
  t.deepEqual(await readSums(base, workspace), sumsOf(16))
})

test('the same request twice in one group is detected before anything is written', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const events = makeCalls(20)
  const db = watch(base.db)
  const outcomes = await storeGroup(db, [makeBatch(workspace, events), makeBatch(workspace, events)])
  t.deepEqual(
    outcomes.map(({ stored, duplicate }) => [stored, duplicate]),
    [
      [20, 0],
      [0, 20],
    ],
  )
  t.deepEqual(db.failures, [])
})

test('a repeated request, alone or with new spans, leaves no dead rows in the table', async (t) => {
  const other = await makeDatabase()
  const workspace = await insertWorkspaceRow(other.query)
  const startTimeUnixNano = BigInt(Date.now() - 60_000) * 1_000_000n
  // On one page, and in one chunk: a dead row would leave a gap between the positions of its neighbours.
  const [first, second, third] = [0, 1, 2].map(() => makeEvent({ startTimeUnixNano })) as [Event, Event, Event]
  const db = watch(other.db)
  for (let times = 0; times < 3; times++) await storeGroup(db, [makeBatch(workspace, [first])])
  await storeGroup(db, [makeBatch(workspace, [first, second])])
  await storeGroup(db, [makeBatch(workspace, [first, second]), makeBatch(workspace, [third])])
  const rows = await other.query<{ ctid: string }>('select ctid::text from events order by ctid')
  t.deepEqual(
    rows.map(({ ctid }) => ctid),
    ['(0,1)', '(0,2)', '(0,3)'],
  )
  t.deepEqual(db.failures, [])
  await other.stop()
})

test('a duplicate that the sample misses costs one retry, and the workspace is a likely duplicate from then on', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const suspects = openLikelyDuplicates()
  const [known] = makeCalls(1) as [Event]
  const mixed = (): Event[] => [...makeCalls(3), known, ...makeCalls(36)]
  await storeGroup(base.db, [makeBatch(workspace, [known])])
  const db = watch(base.db)
  for (const failures of [['23505'], ['23505']]) {
    const [outcome] = await storeGroup(db, [makeBatch(workspace, mixed())], suspects)
    t.like(outcome, { stored: 39, duplicate: 1 })
    t.deepEqual(db.failures, failures, 'the second time it is looked for at once')
  }
  t.deepEqual(await readSums(base, workspace), sumsOf(79))
})

test('the rest of a partly stored request is stored with its blocks and results, and every sum is right', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const bytes = new Uint8Array(8)
  const encrypted = { ciphertext: bytes, iv: bytes, tag: bytes, keyId: 'k' }
  // Two blocks of 256 spans, and a part of a third.
  const events = Array.from({ length: 560 }, (_, at) =>
    makeLlmEvent(10, 1, { agentOwn: `a${at % 3}`, ...(at % 10 === 0 ? { kind: 'tool', encrypted } : {}) }),
  )
  await storeGroup(base.db, [makeBatch(workspace, events.slice(0, 280))])
  const [outcome] = await storeGroup(base.db, [makeBatch(workspace, events)])
  t.like(outcome, { stored: 280, duplicate: 280 })
  t.deepEqual(await readSums(base, workspace), sumsOf(560))
  const [row] = await base.query(
    `select (select count(*)::int from payload_blocks where workspace_id = $1) as blocks,
       (select count(*)::int from tool_results where workspace_id = $1) as results,
       (select count(*)::int from events e join payload_blocks p on p.workspace_id = e.workspace_id and p.id = e.payload_id
         where e.workspace_id = $1) as with_payload,
       (select sum(input_tokens)::int from traces where workspace_id = $1) as tokens`,
    [workspace],
  )
  t.deepEqual(row, { blocks: 4, results: 56, with_payload: 560, tokens: 5_600 })
})

test('rows that the database refuses are found one by one up to a bound, and then with their neighbours', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  // Every second row, as if decoding were broken.
  const events = Array.from({ length: 400 }, (_, at) => makeEvent(at % 2 === 0 ? { errorMessage: 'a\u0000b' } : {}))
  const batch = makeBatch(workspace, events)
  const good = makeBatch(workspace, makeCalls(5))
  const db = watch(base.db)
  const [bad, other] = await storeGroup(db, [batch, good])
  t.like(other, { stored: 5, notStorable: 0 })
  t.is((bad?.stored ?? 0) + (bad?.notStorable ?? 0), rowCount(batch))
  t.true((bad?.stored ?? 0) >= 63, 'those between the bad ones that were found are stored')
  t.true(db.transactions() < 64 * 2 * 9, `${db.transactions()} transactions`)
  const [row] = await base.query<{ count: number }>(
    `select count::int from usage_rejections where workspace_id = $1 and reason = 'not_storable'`,
    [workspace],
  )
  t.is(row?.count, bad?.notStorable)
})
