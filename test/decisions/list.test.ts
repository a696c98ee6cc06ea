import { randomUUID } from 'node:crypto'
import test from 'ava'
import { openReads, type Reads } from '../_kit/reads.ts'

type Decision = { id: string; [name: string]: unknown }

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
    type: 'reuse_identity',
    state: 'proposed',
    tool_name: 'search',
    config: {},
    shadow_samples: 0,
    ...more,
  }
  const names = Object.keys(row)
  await reads.db.query(
    `insert into decisions (${names.join(', ')}) select ${names.join(', ')} from jsonb_populate_record(null::decisions, $1::jsonb)`,
    [JSON.stringify(row)],
  )
  return id
}

test('a workspace without decisions has an empty list', async (t) => {
  t.deepEqual(await reads.get(await reads.makeWorkspace(), 'decisions'), { status: 200, body: [] })
})

test('a decision has every field, null where unset', async (t) => {
  const workspace = await reads.makeWorkspace()
  const id = await insert(workspace, {
    created_at: '2026-01-01T00:00:00.123456Z',
    config: { tool_name: 'search', evidence: { trace_ids: ['a'] } },
  })
  const { body } = await reads.get<Decision[]>(workspace, 'decisions')
  t.deepEqual(body, [
    {
      id,
      task_type_id: null,
      type: 'reuse_identity',
      state: 'proposed',
      previous_state: null,
      config: { tool_name: 'search', evidence: { trace_ids: ['a'] } },
      shadow_samples: 0,
      shadow_match_rate: null,
      cost_delta_usd: null,
      latency_delta_ms: null,
      quality_delta: null,
      score: null,
      proposed_at: null,
      shadow_at: null,
      activated_at: null,
      disabled_at: null,
      created_at: '2026-01-01T00:00:00.123Z',
    },
  ])
})

test('decisions are listed by their last change and narrowed by every filter', async (t) => {
  const workspace = await reads.makeWorkspace()
  await insert(await reads.makeWorkspace(), {})
  const agent = randomUUID()
  const measured = {
    shadow_samples: 40,
    shadow_match_rate: 0.975,
    score: { verdict: 'pass' },
    shadow_at: '2026-01-01T00:00:00Z',
  }
  const a = await insert(workspace, {
    changed_at: '2026-01-01T00:00:00Z',
    state: 'shadow',
    previous_state: 'proposed',
    ...measured,
  })
  const b = await insert(workspace, { changed_at: '2026-01-03T00:00:00Z', type: 'suppress_dead', agent_id: agent })
  const c = await insert(workspace, { changed_at: '2026-01-02T00:00:00Z', state: 'disabled', tool_name: 'fetch' })
  const ids = async (query: Record<string, string | number> = {}): Promise<string[]> =>
    (await reads.get<Decision[]>(workspace, 'decisions', query)).body.map(({ id }) => id)
  t.deepEqual(await ids(), [b, c, a])
  t.deepEqual(await ids({ state: 'shadow' }), [a])
  t.deepEqual(await ids({ type: 'suppress_dead' }), [b])
  t.deepEqual(await ids({ agent_id: agent }), [b])
  t.deepEqual(await ids({ tool_name: 'fetch' }), [c])
  t.deepEqual(await ids({ type: 'no such type' }), [])
  t.deepEqual(await ids({ state: 'rejected' }), [])
  t.deepEqual(await ids({ limit: 1, offset: 1 }), [c])
})
