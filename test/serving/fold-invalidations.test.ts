// A workspace has a limited number of invalidations: older ones of inputs become one of the whole tool. Only the soak reaches the limit of the
// service in each test; the usual run does so where further ones are refused, and has a tenth of the limit elsewhere.
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { makeInvalidateRoutes } from '../../src/serving/invalidate.ts'
import type { Runner } from '../../src/store/database.ts'
import type { JsonRoute } from '../../src/web/route.ts'
import { inSoak } from '../_kit/soak.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'

const { db, query } = useDatabase()
const limit = 10_000
const most = inSoak(1_000, limit)
const startMs = Date.parse('2026-03-01T00:00:00Z')

/** The service with another limit: it is a parameter of the statement. */
const lowered: Pick<Runner, 'row'> = {
  row: async (name, values) =>
    await db.row(
      name,
      values?.map((value) => (value === limit ? most : value)),
    ),
}

async function invalidate(
  workspaceId: string,
  body: object,
  runner: Pick<Runner, 'row'> = lowered,
): ReturnType<JsonRoute['handle']> {
  const [route] = makeInvalidateRoutes({ db: runner, onInvalidated: () => undefined })
  return await (route as JsonRoute).handle({ who: { workspaceId, keyId: workspaceId }, body } as never)
}

/** Inserts `count` invalidations, one a second. `tool`, `input`: expressions of their number `n`, from 1. */
const fill = async (workspaceId: string, count: number, tool: string, input: string) =>
  await query(
    `insert into invalidations (workspace_id, id, at, tool_name, input_hash)
     select $1, gen_random_uuid(), $2::timestamptz + n * interval '1 second', ${tool}, ${input} from generate_series(1, $3::bigint) n`,
    [workspaceId, new Date(startMs), count],
  )

/** Returns the times one second before `atMs`, two seconds, and so on. */
const secondsBefore = (atMs: number, count: number): Date[] =>
  Array.from({ length: count }, (_, nth) => new Date(atMs - (nth + 1) * 1_000))

/** Inserts an invalidation of the whole tool. `earlier`: PostgreSQL's text of an array. */
const addWhole = async (workspaceId: string, tool: string, atMs: number, earlier = '{}') =>
  await query(
    'insert into invalidations (workspace_id, id, at, tool_name, earlier) values ($1, gen_random_uuid(), $2, $3, $4)',
    [workspaceId, new Date(atMs), tool, earlier],
  )

type Held = { tool_name: string; input_hash: string | null; at: Date; earlier: Date[] }

const read = async (workspaceId: string): Promise<Held[]> =>
  await query<Held>(
    'select tool_name, input_hash, at, earlier from invalidations where workspace_id = $1 order by tool_name, at, input_hash nulls first',
    [workspaceId],
  )

const readVersion = async (workspaceId: string): Promise<unknown> =>
  (await query('select rules_version from workspaces where id = $1', [workspaceId]))[0]?.['rules_version']

test('if a workspace has its most invalidations, the older half of those of one tool becomes one of the whole tool', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await addDecision(query, workspaceId, { inputHash: 'never invalidated' })
  await fill(workspaceId, 10, "'a few'", "'input ' || n")
  await fill(workspaceId, most - 10, "'search'", "'input ' || n")
  t.true((await invalidate(workspaceId, { tool_name: 'search', input_hash: 'one more' })).ok)
  const held = await read(workspaceId)
  t.is(held.filter(({ tool_name: tool }) => tool === 'a few').length, 10)
  const [whole, ...inputs] = held.filter(({ tool_name: tool }) => tool === 'search')
  const until = startMs + ((most - 10) / 2) * 1_000
  t.like(whole, { input_hash: null, at: new Date(until), earlier: secondsBefore(until, 100) })
  t.is(inputs.length, (most - 10) / 2 + 1)
  t.true(inputs.every(({ at, input_hash: input }) => at.getTime() > until && input !== null))
  t.is(inputs.at(-1)?.input_hash, 'one more')
  const values = [workspaceId, null, 100, 100]
  const [rule] = await db.rows<{ executed_after: Date }>('decisions/active-rules', values)
  t.deepEqual(rule?.executed_after, new Date(until))
})

test('a workspace with more invalidations than it may have is brought below the limit at once', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await fill(workspaceId, 3 * most, "'search'", "'input ' || n")
  t.true((await invalidate(workspaceId, { tool_name: 'search', input_hash: 'one more' })).ok)
  t.true((await read(workspaceId)).length <= most)
})

test('an earlier invalidation of the whole tool moves, and stays known', async (t) => {
  const workspaceId = await makeWorkspace(query)
  // It lies between two of inputs. With it, half of all are those of the seconds before this one.
  const untilMs = startMs + (most / 2 - 1) * 1_000
  const wasMs = untilMs - 8_500
  await addWhole(workspaceId, 'search', wasMs)
  await fill(workspaceId, most - 1, "'search'", "'input ' || n")
  t.true((await invalidate(workspaceId, { tool_name: 'another' })).ok)
  const [another, whole, ...inputs] = await read(workspaceId)
  t.is(another?.tool_name, 'another')
  const replaced = [...secondsBefore(untilMs, 99), new Date(wasMs)].toSorted((one, other) => +other - +one)
  t.like(whole, { input_hash: null, at: new Date(untilMs), earlier: replaced })
  t.true(inputs.every(({ at }) => at > (whole?.at ?? 0)))
  t.is(inputs.length, most / 2)
})

test('a later invalidation of the whole tool covers all that it replaces', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await fill(workspaceId, most - 1, "'search'", "'input ' || n")
  const at = new Date(startMs + most * 700)
  await addWhole(workspaceId, 'search', at.getTime())
  t.true((await invalidate(workspaceId, { tool_name: 'search', input_hash: 'one more' })).ok)
  const held = await read(workspaceId)
  t.like(
    held.find(({ input_hash: input }) => input === null),
    { at, earlier: secondsBefore(startMs + ((most / 2) * 1_000 + 1_000), 100) },
  )
  t.is(held.length, most / 2 + 1)
})

test('the times of an invalidation that is replaced stay known, also its earlier ones, each once', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await fill(workspaceId, most - 4, "'tool ' || n", "'input'")
  await addWhole(workspaceId, 'search', startMs + 3_000, '{2026-03-01T00:00:01Z}')
  await query(
    `insert into invalidations (workspace_id, id, at, tool_name, input_hash, earlier)
     select $1, gen_random_uuid(), $2::timestamptz + n * interval '1 second', 'search', 'input ' || n, '{2026-03-01T00:00:01Z,2026-02-01T00:00:00Z}'
     from unnest(array[2, 4, 9]) n`,
    [workspaceId, new Date(startMs)],
  )
  t.true((await invalidate(workspaceId, { tool_name: 'another' })).ok)
  const [whole, ...rest] = (await read(workspaceId)).filter(({ tool_name: tool }) => tool === 'search')
  t.like(whole, {
    at: new Date(startMs + 3_000),
    earlier: [new Date(startMs + 2_000), new Date(startMs + 1_000), new Date('2026-02-01T00:00:00Z')],
  })
  t.deepEqual(
    rest.map(({ input_hash: input }) => input),
    ['input 4', 'input 9'],
  )
})

test('a workspace with its most invalidations can repeat each of them, and nothing is joined', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await fill(workspaceId, most - 3, "'tool ' || n / 2", "'input ' || n")
  await fill(workspaceId, 2, "'search'", "'input ' || n")
  await addWhole(workspaceId, 'search', startMs)
  for (const body of [{ tool_name: 'search', input_hash: 'input 1' }, { tool_name: 'search' }])
    t.true((await invalidate(workspaceId, body)).ok)
  const held = await read(workspaceId)
  t.is(held.length, most)
  const [other, repeated, whole] = held.filter(({ tool_name: tool }) => tool === 'search')
  t.like(other, { input_hash: 'input 2', earlier: [] })
  t.like(repeated, { input_hash: 'input 1', earlier: [new Date(startMs + 1_000)] })
  t.like(whole, { input_hash: null, earlier: [new Date(startMs)] })
  t.is(await readVersion(workspaceId), '2')
})

test('where no tool has more than two, one of an input joins one of the whole tool, first where that is newer', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await fill(workspaceId, most - 4, "'tool ' || n / 2", "'input ' || n")
  await fill(workspaceId, 2, "case n when 1 then 'older' else 'newer' end", "'an input'")
  await addWhole(workspaceId, 'older', startMs)
  await addWhole(workspaceId, 'newer', startMs + 3_000)
  const readTool = async (tool: string) => (await read(workspaceId)).filter(({ tool_name: name }) => name === tool)
  t.true((await invalidate(workspaceId, { tool_name: 'one more' })).ok)
  const newer = {
    tool_name: 'newer',
    input_hash: null,
    at: new Date(startMs + 3_000),
    earlier: [new Date(startMs + 2_000)],
  }
  t.deepEqual(await readTool('newer'), [newer])
  t.is((await readTool('older')).length, 2)
  t.true((await invalidate(workspaceId, { tool_name: 'and another' })).ok)
  const older = { tool_name: 'older', input_hash: null, at: new Date(startMs + 1_000), earlier: [new Date(startMs)] }
  t.deepEqual(await readTool('older'), [older])
  t.is((await read(workspaceId)).length, most)
})

test('where thousands of tools have one or two each, a further one is refused with 429, and changes nothing', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await fill(workspaceId, limit, "'tool ' || n / 2", "'input ' || n")
  const before = { held: await read(workspaceId), version: await readVersion(workspaceId) }
  const error = await t.throwsAsync(invalidate(workspaceId, { tool_name: 'one more' }, db), { instanceOf: Outage })
  t.is(error?.status, 429)
  t.is(
    error?.detail,
    'This workspace has its maximum of 10000 invalidations, and none can be combined; a different one can be added once retention has removed events',
  )
  t.deepEqual({ held: await read(workspaceId), version: await readVersion(workspaceId) }, before)
})

test('a request that has joined as many as it may, and finds more above the limit, is refused with the usual text: the next one continues', async (t) => {
  const statements: string[] = []
  const full: Pick<Runner, 'row'> = {
    row: async (name) => {
      statements.push(name)
      return (name === 'serving/invalidate' ? { is_full: true, at: null } : { removed: 1 }) as never
    },
  }
  const error = await t.throwsAsync(invalidate(makeUuidV7(), { tool_name: 'search' }, full), { instanceOf: Outage })
  t.like(error, { status: 429, detail: undefined })
  t.is(statements.filter((name) => name === 'serving/fold-invalidations').length, 8)
})

test('the invalidations of others do not count, and a deleted workspace has none', async (t) => {
  const [full, other] = [await makeWorkspace(query), await makeWorkspace(query)]
  await fill(full, most, "'search'", "'input ' || n")
  t.true((await invalidate(other, { tool_name: 'search' })).ok)
  t.is((await read(other)).length, 1)
  await query('update workspaces set deleted_at = now() where id = $1', [other])
  t.like(await invalidate(other, { tool_name: 'another' }), { ok: false, code: 'no_key' })
  t.is((await read(other)).length, 1)
  t.like(await invalidate(makeUuidV7(), { tool_name: 'another' }), { ok: false, code: 'no_key' })
})
