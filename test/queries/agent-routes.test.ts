import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { openReads, type Reads } from '../_kit/reads.ts'

type Agent = { id: string; name: string; status: string; models: string[]; first_seen: string; last_seen: string }

let reads: Reads
let workspace: string

test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
  const seed = (at: number, agent: string, hoursAgo: number, model: string | null): EventSeed => ({
    start: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
    trace: hexId(at, 32),
    span: hexId(at, 16),
    agent,
    model,
  })
  const seeds = [seed(1, 'idle', 25, 'a'), seed(2, 'new', 0, 'b')]
  const busy = [seed(3, 'busy', 30, 'zeta'), seed(4, 'busy', 23, 'alpha'), seed(5, 'busy', 24, null)]
  await storeEvents(reads.db.query, workspace, [...seeds, ...busy])
})
test.after.always(async () => await reads.stop())

test('agents are listed by their last activity, with their models in order', async (t) => {
  const { body } = await reads.get<Agent[]>(workspace, 'agents')
  t.deepEqual(
    body.map(({ name, status, models }) => ({ name, status, models })),
    [
      { name: 'new', status: 'active', models: ['b'] },
      { name: 'busy', status: 'active', models: ['alpha', 'zeta'] },
      { name: 'idle', status: 'idle', models: ['a'] },
    ],
  )
  t.true(Date.parse(body[1]?.first_seen ?? '') < Date.parse(body[1]?.last_seen ?? ''))
})

test('agents are paged by limit and offset', async (t) => {
  const names = async (query: Record<string, number>): Promise<string[]> =>
    (await reads.get<Agent[]>(workspace, 'agents', query)).body.map(({ name }) => name)
  t.deepEqual(await names({ limit: 2 }), ['new', 'busy'])
  t.deepEqual(await names({ limit: 2, offset: 2 }), ['idle'])
  t.deepEqual(await names({ offset: 100_000 }), [])
})

test('an agent that no span was stored of is not there', async (t) => {
  const alone = await reads.makeWorkspace()
  const [id, name] = [makeUuidV7(), 'unseen']
  await reads.db.db.run('ingest/insert-agents', [[alone], [id], [name], [true]])
  t.deepEqual(await reads.get(alone, 'agents'), { status: 200, body: [] })
  t.is((await reads.get(alone, `agents/${id}`)).status, 404)
  t.is((await reads.get(alone, 'events', { agent_id: id })).status, 200)
})

test('one agent is read by its id, and only in its own workspace', async (t) => {
  const id = agentIdOf(workspace, 'busy')
  const { status, body } = await reads.get<Agent>(workspace, `agents/${id.toUpperCase()}`)
  t.is(status, 200)
  t.like(body, { id, name: 'busy' })
  const other = await reads.makeWorkspace()
  t.deepEqual(await reads.get(other, `agents/${id}`), { status: 404, body: { detail: 'Not found' } })
  t.is((await reads.get(workspace, 'agents/x')).status, 422)
})
