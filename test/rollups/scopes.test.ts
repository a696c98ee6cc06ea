// The counts of instrumentation scopes: folded, read over any window, and recounted.
import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { openFolding } from '../../src/rollups/open-folding.ts'
import { rebuildWorkspace } from '../../src/rollups/rebuild.ts'
import { foldScopes } from '../../src/rollups/scopes/fold-scopes.ts'
import { readScopes } from '../../src/rollups/scopes/read-scopes.ts'
import { recountScopes } from '../../src/rollups/scopes/recount-scopes.ts'
import { maxScopes } from '../../src/sketches/scope-sums.ts'
import { around } from '../_kit/around.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom } from '../_kit/random.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { until } from '../_kit/until.ts'
import { intercept } from '../ingest/_intercept.ts'
import { countFreshScopes, countUses, foldAllScopes, readStoredScopes, sortUses } from './_scope-truth.ts'
import { makeTraces } from './_storm.ts'
import { limits } from './_truth.ts'

let base: TestDatabase
const test = around(
  async () => {
    base = await makeDatabase()
  },
  async () => await base.stop(),
)

const never = new AbortController().signal
const dayMs = 86_400_000
const midnightMs = Date.parse('2026-04-01T00:00:00Z')

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1_000_000n

const store = async (workspace: string, events: readonly Event[], costUsd?: number): Promise<void> =>
  void (await storeGroup(base.db, [makeBatch(workspace, [...events], costUsd === undefined ? {} : { costUsd })]))

async function settleAll(): Promise<void> {
  while ((await settleUnhurried(base.db, 0)).traces > 0);
}

/** From before the first event to after the last. */
const always = { fromMs: midnightMs - dayMs, toMs: midnightMs + dayMs }
const countDeltas = async (): Promise<number> => (await base.query('select from scope_deltas')).length

test.serial('what is stored and settled is folded into its minute, its hour and its day', async (t) => {
  const [workspace, other] = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)]
  const events = makeTraces(makeRandom(5), 60)
  const half = events.length >> 1
  await store(workspace, events.slice(0, half), 0.25)
  await store(other, events.slice(0, 10))
  t.true((await foldAllScopes(base, workspace)) > 0)
  const unsettled = await countFreshScopes(base, workspace)
  t.deepEqual(await readStoredScopes(base, workspace), unsettled)
  t.true(Object.values(unsettled).some((row) => row.agents_unnamed > 0))
  await store(workspace, events.slice(half))
  // Sent again: stored spans do not count twice.
  await store(workspace, events.slice(half))
  await settleAll()
  await foldAllScopes(base, workspace)
  const fresh = await countFreshScopes(base, workspace)
  t.deepEqual(await readStoredScopes(base, workspace), fresh)
  const sums = Object.values(fresh)
  for (const name of ['told_twice', 'repeated', 'unpriced', 'cost_disagreements'] as const) {
    t.true(
      sums.some((row) => row[name] > 0),
      name,
    )
  }
  // The deltas of the other workspace are not folded yet.
  t.deepEqual(await readStoredScopes(base, other), {})
  await foldAllScopes(base, other)
  t.deepEqual(await readStoredScopes(base, other), await countFreshScopes(base, other))
})

test.serial('settling again appends nothing', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await store(workspace, makeTraces(makeRandom(6), 20))
  await settleAll()
  const deltas = await countDeltas()
  t.true(deltas > 0)
  await base.query('update traces set settled = false')
  await settleAll()
  t.is(await countDeltas(), deltas)
})

test.serial('two processes that fold at once move each delta once', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const events = makeTraces(makeRandom(7), 60)
  for (let from = 0; from < events.length; from += 7) await store(workspace, events.slice(from, from + 7))
  const moved = await Promise.all([1, 2, 3].map(async () => await foldScopes(base.db, [workspace])))
  await foldAllScopes(base, workspace)
  t.true(Math.max(...moved) > 0)
  t.deepEqual(await readStoredScopes(base, workspace), await countFreshScopes(base, workspace))
})

test.serial('a bucket holds 256 scopes; those beyond are other, and nothing is lost', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const make = (nth: number): Event =>
    makeEvent({ scopeName: `scope ${String(nth).padStart(4, '0')}`, startTimeUnixNano: at('2026-04-01T10:00:00Z') })
  await store(
    workspace,
    Array.from({ length: 200 }, (_, nth) => make(nth)),
  )
  await foldAllScopes(base, workspace)
  // Half of these are already stored.
  await store(
    workspace,
    Array.from({ length: 300 }, (_, nth) => make(nth + 100)),
  )
  await foldAllScopes(base, workspace)
  await store(workspace, [make(500), make(0)])
  await foldAllScopes(base, workspace)
  const rows = await base.query<{ tier: number; scopes: number; spans: number; others: number; first: number }>(
    `select tier, count(*)::int as scopes, sum(spans)::int as spans, sum(spans) filter (where scope_name = 'other')::int as others,
       sum(spans) filter (where scope_name = 'scope 0000')::int as first
     from scope_counts group by 1 order by 1`,
  )
  t.deepEqual(
    rows,
    [0, 1, 2].map((tier) => ({ tier, scopes: maxScopes + 1, spans: 502, others: 400 - maxScopes + 1, first: 2 })),
  )
})

test.serial('a read of any window equals plain code, before, between and after folding', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const random = makeRandom(8)
  const spread = (event: Event): Event => ({
    ...event,
    startTimeUnixNano:
      BigInt(midnightMs - 2 * dayMs + random.int(4 * dayMs)) * 1_000_000n + BigInt(random.int(1_000)) * 1_000n,
  })
  const events = makeTraces(random, 120).map(spread)
  const half = events.length >> 1
  const windows = [
    ['2026-03-30T00:00:00Z', '2026-04-03T00:00:00Z'],
    ['2026-03-30T21:59:00Z', '2026-04-02T03:01:00Z'],
    ['2026-03-30T05:06:07.123Z', '2026-04-02T03:04:05.006Z'],
    ['2026-04-01T10:00:00Z', '2026-04-01T17:00:00Z'],
    ['2026-04-01T10:20:00Z', '2026-04-01T10:45:00Z'],
    ['2026-04-01T10:20:10Z', '2026-04-01T10:20:50Z'],
    ['2026-04-01T10:20:30Z', '2026-04-01T10:21:30Z'],
  ].map(([from = '', to = '']) => ({ fromUs: Date.parse(from) * 1_000, toUs: Date.parse(to) * 1_000 }))
  // A window that begins and ends at events, which are some microseconds after a millisecond.
  const sorted = events.map(({ startTimeUnixNano }) => Number(startTimeUnixNano / 1_000n)).toSorted((a, b) => a - b)
  windows.push({ fromUs: sorted[20] ?? 0, toUs: sorted.at(-20) ?? 0 })
  const check = async (when: string): Promise<void> => {
    for (const window of windows) {
      const read = sortUses(await readScopes(base.db, workspace, window, 1_000))
      t.deepEqual(read, await countUses(base, workspace, window), `${when} ${window.fromUs}`)
    }
  }
  await store(workspace, events.slice(0, half), 0.1)
  await check('before')
  await foldAllScopes(base, workspace)
  await store(workspace, events.slice(half))
  await check('between')
  await settleAll()
  await foldAllScopes(base, workspace)
  await check('after')
  const [most] = await readScopes(base.db, workspace, windows[0] ?? t.fail(), 1)
  const all = await readScopes(base.db, workspace, windows[0] ?? t.fail(), 1_000)
  t.is(most?.spans, Math.max(...all.map(({ spans }) => spans)))
})

test.serial('a minute with many events is rounded where the window cuts it', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const starts = ['10:00:10', '10:00:20', '10:00:40', '10:01:30', '10:02:05', '10:02:50']
  await store(
    workspace,
    starts.map((time) => makeEvent({ scopeName: 'a', startTimeUnixNano: at(`2026-04-01T${time}Z`) })),
  )
  const readSpans = async (from: string, to: string, most: number): Promise<number> => {
    const window = { fromUs: Date.parse(`2026-04-01T${from}Z`) * 1_000, toUs: Date.parse(`2026-04-01T${to}Z`) * 1_000 }
    const [use] = await readScopes(base.db, workspace, window, 10, most)
    return use?.spans ?? 0
  }
  for (const folded of [false, true]) {
    if (folded) await foldAllScopes(base, workspace)
    t.is(await readSpans('10:00:15', '10:02:10', 50), 4)
    // Most of the first minute is inside the window, little of the last.
    t.is(await readSpans('10:00:15', '10:02:10', 0), 4)
    t.is(await readSpans('10:00:15', '10:02:45', 0), 6)
    t.is(await readSpans('10:00:35', '10:02:10', 0), 1)
  }
})

test.serial(
  'a rebuild makes good whatever the counts say, in bounded transactions, while events come in',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const events = makeTraces(makeRandom(9), 80)
    const half = events.length >> 1
    await store(workspace, events.slice(0, half))
    await foldAllScopes(base, workspace)
    // Wrong numbers, spans of an older release that were not counted, and counts of spans that do not exist.
    await base.query(`update scope_counts set spans = spans + 3 + tier, unpriced = unpriced + 1 where kind = 'llm'`)
    await base.query(`delete from scope_counts where kind = 'tool'`)
    await base.query(
      `insert into scope_counts
     select distinct workspace_id, tier, start_time, 'ghost', '', '', 'llm', 5, 0, 0, 0, 1, 0.5, 0, start_time from scope_counts`,
    )
    const batches: Promise<unknown>[] = []
    for (let from = half; from < events.length; from += 20)
      batches.push(store(workspace, events.slice(from, from + 20)))
    const rebuild = async (): Promise<unknown> =>
      await rebuildWorkspace(base.db, workspace, {
        limits: { ...limits, maxEvents: 30 },
        fromMs: always.fromMs,
        toMs: always.toMs,
        signal: never,
      })
    // Two concurrent rebuilds correct it once.
    await Promise.all([rebuild(), rebuild(), foldAllScopes(base, workspace), ...batches])
    await settleAll()
    await foldAllScopes(base, workspace)
    t.deepEqual(await readStoredScopes(base, workspace), await countFreshScopes(base, workspace))
    await recountScopes(base.db, { workspaceId: workspace, window: always, maxEvents: 1_000, signal: never })
    t.is(await countDeltas(), 0)
  },
)

test.serial('a recount of a deleted workspace ends', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await base.query('update workspaces set deleted_at = now() where id = $1', [workspace])
  await recountScopes(base.db, { workspaceId: workspace, window: always, maxEvents: 1_000, signal: never })
  t.is(await countDeltas(), 0)
})

test.serial('a recount ends although its workspace stores a span in the time of each fold', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const storeOne = async () => await store(workspace, [makeEvent({ startTimeUnixNano: at('2026-04-01T10:00:30Z') })])
  await storeOne()
  let folds = 0
  const db = intercept(base.db, async (statement) => {
    if (statement !== 'rollups/fold-scopes') return undefined
    folds += 1
    if (folds > 10) throw new Error('the recount does not end')
    await storeOne()
    return undefined
  })
  await recountScopes(db, { workspaceId: workspace, window: always, maxEvents: 20_000, signal: never })
  t.is(folds, 1)
  await storeOne()
  await foldAllScopes(base, workspace)
  t.deepEqual(await readStoredScopes(base, workspace), await countFreshScopes(base, workspace))
})

test.serial('the loop folds every workspace; one that cannot be folded does not delay others', async (t) => {
  const workspaces = await Promise.all(Array.from({ length: 5 }, async () => await insertWorkspaceRow(base.query)))
  for (const id of workspaces)
    await store(id, [makeEvent({ scopeName: 'a', startTimeUnixNano: at('2026-04-01T10:00:00Z') })])
  // More than the column can hold.
  await base.query('update scope_deltas set spans = 9223372036854775807 where workspace_id = $1', [workspaces[2]])
  await base.query(
    `insert into scope_deltas select (jsonb_populate_record(d, '{"id": 1000000}')).* from scope_deltas d where workspace_id = $1`,
    [workspaces[2]],
  )
  const errors: unknown[] = []
  const folding = openFolding({
    db: base.db,
    onWaiting: () => undefined,
    onFolded: () => undefined,
    onDone: () => undefined,
    onRound: () => undefined,
    onDamage: () => undefined,
    onError: (error) => errors.push(error),
    foldAfterMs: 0,
    pauseMs: 10,
  })
  const isLeft = async (): Promise<boolean> =>
    (await base.query('select from scope_deltas where workspace_id <> $1', [workspaces[2]])).length > 0
  try {
    await until(async () => !(await isLeft()) && errors.length > 0)
  } finally {
    await folding.stop()
  }
  t.is(await countDeltas(), 2)
  t.regex(String(errors[0]), /out of range/)
  for (const id of workspaces.filter((one) => one !== workspaces[2])) {
    t.deepEqual(await readStoredScopes(base, id), await countFreshScopes(base, id))
  }
})
