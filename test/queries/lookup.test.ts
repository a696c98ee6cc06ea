import { randomBytes, randomUUID } from 'node:crypto'
import test from 'ava'
import { agentIdOf, hexId, storeEvents } from '../_kit/events.ts'
import { openReads, type ReadAnswer, type Reads } from '../_kit/reads.ts'

type Found = { kind: string; id: string; trace_id?: string }

const trace = hexId(0xabc, 32)
const span = hexId(0xdef, 16)
const session = 'a session / with any name'
const [decision, finding, key] = [randomUUID(), randomUUID(), randomUUID()]
const absent = { status: 404, body: { detail: 'Not found' } }

let reads: Reads
let workspace: string
let other: string

test.before(async () => {
  reads = await openReads()
  const { query } = reads.db
  workspace = await reads.makeWorkspace()
  other = await reads.makeWorkspace()
  await storeEvents(query, workspace, [{ start: new Date().toISOString(), trace, span, session, agent: 'coder' }])
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, config, proposed_at)
     values ($1, $2, 'suppress_dead', 'proposed', 'search', '{}', now())`,
    [decision, workspace],
  )
  await query(
    `insert into findings (id, workspace_id, type, subject, severity, status, title, detail, occurrences, evidence, first_seen, last_seen)
     values ($1, $2, 'slow_tool', 'search', 'warning', 'open', 'Slow', 'Slow', 1, '{}', now(), now())`,
    [finding, workspace],
  )
  await query(
    `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by) values ($1, $2, 'one', 'tw_sk_abcdefgh', $3, $1)`,
    [key, workspace, randomBytes(32)],
  )
})
test.after.always(async () => await reads.stop())

const look = async (id: string, where = workspace): Promise<ReadAnswer<Found>> =>
  await reads.get<Found>(where, 'lookup', { id })

const things = (): Record<string, Found> => ({
  [trace]: { kind: 'trace', id: trace },
  [span]: { kind: 'span', id: span, trace_id: trace },
  [`${trace}.${span}`]: { kind: 'span', id: span, trace_id: trace },
  [session]: { kind: 'session', id: session },
  [agentIdOf(workspace, 'coder')]: { kind: 'agent', id: agentIdOf(workspace, 'coder') },
  [decision]: { kind: 'decision', id: decision },
  [finding]: { kind: 'finding', id: finding },
  [key]: { kind: 'key', id: key },
})

test('an id of each kind is recognized', async (t) => {
  for (const [id, body] of Object.entries(things())) t.deepEqual(await look(id), { status: 200, body })
})

test('ids are hex: their case does not matter, but that of a session’s name does', async (t) => {
  for (const [id, body] of Object.entries(things()).filter(([, { kind }]) => kind !== 'session'))
    t.deepEqual(await look(id.toUpperCase()), { status: 200, body })
  t.deepEqual(await look(session.toUpperCase()), absent)
})

test('ids of another workspace are not found, with the same answer as unknown ids', async (t) => {
  for (const id of Object.keys(things())) t.deepEqual(await look(id, other), absent, id)
  for (const id of [hexId(1, 32), hexId(1, 16), `${trace}.${hexId(1, 16)}`, randomUUID(), 'no session'])
    t.deepEqual(await look(id), absent, id)
})

test('a session may have a name in the form of another id', async (t) => {
  const names = [hexId(0x111, 32), hexId(0x222, 16), randomUUID()]
  await storeEvents(
    reads.db.query,
    other,
    names.map((name, at) => ({
      start: new Date().toISOString(),
      trace: hexId(at + 900, 32),
      span: hexId(at + 900, 16),
      session: name,
    })),
  )
  for (const id of names) t.deepEqual(await look(id, other), { status: 200, body: { kind: 'session', id } })
})

test('an id that is empty, too long or no text is 422', async (t) => {
  for (const id of ['', 'x'.repeat(1_025), 'a\0b']) t.is((await look(id)).status, 422, id)
})
