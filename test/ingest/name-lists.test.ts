// The lists of models and tools that a commit writes are bounded and in the database's sort order, whatever the names are.
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

type Lists = Readonly<Record<string, readonly string[]>>

/** Stores one call for each name of each trace, in one commit. */
async function store(workspace: string, tools: Lists): Promise<void> {
  const events = Object.entries(tools).flatMap(([trace, names]) =>
    names.flatMap((name) => [
      makeEvent({ traceId: trace.repeat(16), kind: 'tool', toolName: name }),
      makeEvent({ traceId: trace.repeat(16), kind: 'llm', model: `model ${name}` }),
    ]),
  )
  await storeGroup(base.db, [makeBatch(workspace, events)])
}

/** Returns the lists stored with the traces, and those that the database computes from the spans. */
async function readLists(workspace: string): Promise<{ told: object[]; counted: object[] }> {
  const told = await base.query<object>(
    `select encode(substr(trace_id, 1, 1), 'hex') as trace, models, tools from traces where workspace_id = $1 order by trace_id`,
    [workspace],
  )
  const counted = await base.query<object>(
    `select encode(substr(trace_id, 1, 1), 'hex') as trace,
       (array_agg(distinct model order by model) filter (where model is not null))[1:100] as models,
       (array_agg(distinct tool_name order by tool_name) filter (where tool_name is not null))[1:100] as tools
     from events where workspace_id = $1 group by trace_id order by trace_id`,
    [workspace],
  )
  return { told, counted }
}

// UTF-16 sorts the first of them before the second, UTF-8 after it.
const strange = ['\u{1f600}', '\uff5e']
const many = Array.from({ length: 130 }, (_, at) => `tool ${(at * 37) % 130}`)

const cases: Readonly<Record<string, Lists>> = {
  'few names': { aa: ['search', 'Read', 'write', '"', 'a,b', '{}'], bb: ['one'], cc: ['write', 'read'] },
  'names that other programs order in another way': { aa: ['b', ...strange, 'a'], bb: strange, cc: ['two', 'one'] },
  'more names than a list holds': { aa: many, bb: many.slice(0, 100), cc: [...many, 'zz'], dd: ['one'] },
}

for (const [title, lists] of Object.entries(cases)) {
  test(`models and tools of a new trace are in the database's order, the first 100 of them: ${title}`, async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    await store(workspace, lists)
    const { told, counted } = await readLists(workspace)
    t.deepEqual(told, counted)
    t.is(told.length, Object.keys(lists).length)
  })

  test(`what a later commit adds is sorted in as well: ${title}`, async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    await store(workspace, { aa: ['m', 'z'], bb: ['m'] })
    await store(workspace, lists)
    const { told, counted } = await readLists(workspace)
    t.deepEqual(told, counted)
  })
}
