import { randomUUID } from 'node:crypto'
import test from 'ava'
import { openReads, type Reads } from '../_kit/reads.ts'

type FindingPage = { items: { id: string; [name: string]: unknown }[]; next_cursor: string | null }

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

async function insert(workspace: string, more: Record<string, unknown>): Promise<string> {
  const id = randomUUID()
  const row = {
    id,
    workspace_id: workspace,
    type: 'slow_tool',
    subject: id,
    severity: 'info',
    status: 'open',
    title: 'Slow',
    detail: 'It is slow',
    occurrences: 2,
    evidence: { trace_ids: [] },
    first_seen: '2026-01-01T00:00:00Z',
    last_seen: '2026-01-02T00:00:00Z',
    ...more,
  }
  const names = Object.keys(row)
  await reads.db.query(
    `insert into findings (${names.join(', ')}) select ${names.join(', ')} from jsonb_populate_record(null::findings, $1::jsonb)`,
    [JSON.stringify(row)],
  )
  return id
}

async function readAll(workspace: string, query: Record<string, string | number>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const { body }: { body: FindingPage } = await reads.get<FindingPage>(workspace, 'findings', {
      ...query,
      ...(cursor === null ? {} : { cursor }),
    })
    ids.push(...body.items.map(({ id }) => id))
    cursor = body.next_cursor
  } while (cursor !== null)
  return ids
}

test('a workspace without findings has an empty page', async (t) => {
  const answer = await reads.get(await reads.makeWorkspace(), 'findings')
  t.deepEqual(answer, { status: 200, body: { items: [], next_cursor: null } })
})

test('a finding has every field, null where unset', async (t) => {
  const workspace = await reads.makeWorkspace()
  const id = await insert(workspace, {})
  const { body } = await reads.get<FindingPage>(workspace, 'findings')
  t.deepEqual(body.items, [
    {
      id,
      type: 'slow_tool',
      severity: 'info',
      status: 'open',
      title: 'Slow',
      detail: 'It is slow',
      agent_id: null,
      tool_name: null,
      model: null,
      occurrences: 2,
      est_monthly_cost_usd: null,
      evidence: { trace_ids: [] },
      decision_id: null,
      first_seen: '2026-01-01T00:00:00.000Z',
      last_seen: '2026-01-02T00:00:00.000Z',
    },
  ])
})

test('findings are paged by what was seen last or by cost, those without a price last', async (t) => {
  const workspace = await reads.makeWorkspace()
  await insert(await reads.makeWorkspace(), {})
  const rows: { id: string; day: number; cost: number | null }[] = []
  for (let at = 0; at < 12; at++) {
    const day = 1 + ((at * 5) % 12)
    const cost = at % 4 === 0 ? null : (at * 7) % 5
    const last_seen = `2026-01-${String(day).padStart(2, '0')}T00:00:00.000001Z`
    rows.push({ id: await insert(workspace, { last_seen, est_monthly_cost_usd: cost }), day, cost })
  }
  const byDay = rows.toSorted((a, b) => b.day - a.day).map(({ id }) => id)
  const byCost = rows.toSorted((a, b) => (b.cost ?? -1) - (a.cost ?? -1) || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
  for (const limit of [1, 5, 50]) {
    t.deepEqual(await readAll(workspace, { limit }), byDay)
    t.deepEqual(await readAll(workspace, { limit, order_by: 'est_monthly_cost_usd' }), byCost)
  }
})

test('findings of equal cost are ordered by severity, across pages too', async (t) => {
  const workspace = await reads.makeWorkspace()
  const add = async (severity: string, cost: number | null): Promise<string> =>
    await insert(workspace, { severity, est_monthly_cost_usd: cost })
  const untold = await add('info', null)
  const criticalUntold = await add('critical', null)
  const info = await add('info', 2.5)
  const critical = await add('critical', 2.5)
  const warning = await add('warning', 2.5)
  const dearest = await add('info', 3)
  for (const limit of [1, 4, 50])
    t.deepEqual(await readAll(workspace, { limit, order_by: 'est_monthly_cost_usd' }), [
      dearest,
      critical,
      warning,
      info,
      criticalUntold,
      untold,
    ])
})

test('one finding is read by its id, and only in its workspace', async (t) => {
  const workspace = await reads.makeWorkspace()
  const id = await insert(workspace, { severity: 'warning' })
  const { status, body } = await reads.get(workspace, `findings/${id}`)
  t.is(status, 200)
  t.like(body, { id, severity: 'warning', title: 'Slow' })
  t.is((await reads.get(await reads.makeWorkspace(), `findings/${id}`)).status, 404)
  t.is((await reads.get(workspace, `findings/${randomUUID()}`)).status, 404)
})

test('every filter narrows the list, and a cursor serves no other filter and no other order', async (t) => {
  const workspace = await reads.makeWorkspace()
  const agent = randomUUID()
  const a = await insert(workspace, { type: 'retry_loop', severity: 'critical', agent_id: agent })
  const b = await insert(workspace, { status: 'resolved', tool_name: 'search' })
  const c = await insert(workspace, {})
  t.deepEqual(await readAll(workspace, { type: 'retry_loop' }), [a])
  t.deepEqual(await readAll(workspace, { severity: 'critical' }), [a])
  t.deepEqual(await readAll(workspace, { agent_id: agent }), [a])
  t.deepEqual(await readAll(workspace, { status: 'resolved' }), [b])
  t.deepEqual(await readAll(workspace, { tool_name: 'search' }), [b])
  t.deepEqual((await readAll(workspace, { status: 'open' })).sort(), [a, c].sort())
  t.deepEqual(await readAll(workspace, { type: 'no such type' }), [])
  const { body } = await reads.get<FindingPage>(workspace, 'findings', { limit: 1, status: 'open' })
  const cursor = body.next_cursor ?? ''
  for (const query of [
    { cursor },
    { cursor, status: 'resolved' },
    { cursor, status: 'open', order_by: 'est_monthly_cost_usd' },
  ]) {
    const answer = await reads.get<{ detail: { loc: string[] }[] }>(workspace, 'findings', query)
    t.is(answer.status, 422)
    t.deepEqual(answer.body.detail[0]?.loc, ['query', 'cursor'])
  }
})
