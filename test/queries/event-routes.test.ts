import { zstdCompressSync } from 'node:zlib'
import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { alterEnd } from '../_kit/alter-end.ts'
import { agentIdOf, type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { openReads, type Reads } from '../_kit/reads.ts'
import { makeEvents } from './_data.ts'

type Event = { id: string; trace_id: string; start_time: string; [name: string]: unknown }
type EventPage = { items: Event[]; next_cursor: string | null }
type Invalid = { detail: { loc: string[]; type: string }[] }

const fromMs = Date.parse('2026-03-01T00:00:00Z')
const window = { from_time: '2026-03-01T00:00:00Z', to_time: '2026-03-02T00:00:00Z' }

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

/** All pages; `between` runs after each. */
async function readAll(
  workspace: string,
  query: Record<string, string | number>,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<Event[]> {
  const items: Event[] = []
  let cursor: string | null = null
  for (let page = 0; page === 0 || cursor !== null; page++) {
    const { status, body }: { status: number; body: EventPage } = await reads.get<EventPage>(workspace, 'events', {
      ...query,
      ...(cursor === null ? {} : { cursor }),
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    items.push(...body.items)
    cursor = body.next_cursor
    await between(page)
  }
  return items
}

const idsOf = (events: readonly Event[]): string[] => events.map(({ id }) => id)

/** Returns the ids in listing order, by a plain query of the table. */
async function listIds(workspace: string, where = 'true'): Promise<string[]> {
  const rows = await reads.db.query<{ id: string }>(
    `select encode(trace_id, 'hex') || '.' || encode(span_id, 'hex') as id from events
     where workspace_id = $1 and start_time >= $2 and start_time < $3 and ${where}
     order by start_time desc, trace_id desc, span_id desc`,
    [workspace, window.from_time, window.to_time],
  )
  return rows.map(({ id }) => id)
}

test('all pages together are all events of the window, newest first, whatever the page size', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, makeEvents(makeRandom(3), 450, fromMs - 3_600_000, 90_000_000))
  const expected = await listIds(workspace)
  t.true(expected.length > 300)
  for (const limit of [7, 50, 200]) t.deepEqual(idsOf(await readAll(workspace, { ...window, limit })), expected)
})

test('events of the same microsecond, millisecond and trace are neither lost nor repeated between pages', async (t) => {
  const workspace = await reads.makeWorkspace()
  const seeds = Array.from({ length: 40 }, (_, at) => ({
    start: `2026-03-01T10:00:00.00000${at % 4}Z`,
    trace: hexId(1 + (at % 3), 32),
    span: hexId(at + 1, 16),
  }))
  await storeEvents(reads.db.query, workspace, seeds)
  t.deepEqual(idsOf(await readAll(workspace, { ...window, limit: 1 })), await listIds(workspace))
})

test('events that existed when the first page was read are on exactly one page, even if events arrive between the pages', async (t) => {
  const workspace = await reads.makeWorkspace()
  const random = makeRandom(4)
  await storeEvents(reads.db.query, workspace, makeEvents(random, 120, fromMs, 86_400_000))
  const before = await listIds(workspace)
  const listed = idsOf(
    await readAll(workspace, { ...window, limit: 9 }, async (page) => {
      const ids = (at: number) => ({ span: hexId(10_000 + page * 100 + at, 16) })
      const late = makeEvents(random, 20, fromMs, 86_400_000, ids)
      await storeEvents(reads.db.query, workspace, late)
    }),
  )
  t.is(new Set(listed).size, listed.length, 'nothing twice')
  const known = new Set(before)
  t.deepEqual(
    listed.filter((id) => known.has(id)),
    before,
  )
})

test('a default window stays where the first page had it', async (t) => {
  const workspace = await reads.makeWorkspace()
  const ago = (ms: number, at: number): EventSeed => ({
    start: new Date(Date.now() - ms).toISOString(),
    trace: hexId(1, 32),
    span: hexId(at, 16),
  })
  await storeEvents(reads.db.query, workspace, [ago(5_000, 1), ago(4_000, 2), ago(3_000, 3)])
  const listed = await readAll(workspace, { limit: 1 }, async (page) => {
    if (page === 0) await storeEvents(reads.db.query, workspace, [ago(0, 9)])
  })
  t.deepEqual(
    listed.map(({ span_id }) => span_id),
    [hexId(3, 16), hexId(2, 16), hexId(1, 16)],
  )
})

test('every filter narrows the list, and all of them together', async (t) => {
  const workspace = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, makeEvents(makeRandom(5), 400, fromMs, 86_400_000))
  const agent = agentIdOf(workspace, 'coder')
  const trace = hexId(7, 32)
  const cases: [Record<string, string>, string][] = [
    [{ agent_id: agent.toUpperCase() }, `agent_id = '${agent}'`],
    [{ trace_id: trace.toUpperCase() }, `trace_id = '\\x${trace}'`],
    [{ kind: 'tool' }, "kind = 'tool'"],
    [{ status: 'error' }, "status = 'error'"],
    [{ model: 'claude-sonnet-4' }, "model = 'claude-sonnet-4'"],
    [{ tool_name: 'search' }, "tool_name = 'search'"],
    [
      { kind: 'tool', status: 'ok', agent_id: agent, tool_name: 'fetch' },
      `kind = 'tool' and status = 'ok' and agent_id = '${agent}' and tool_name = 'fetch'`,
    ],
  ]
  for (const [filter, where] of cases) {
    const expected = await listIds(workspace, where)
    t.true(expected.length > 0, where)
    t.deepEqual(idsOf(await readAll(workspace, { ...window, ...filter, limit: 3 })), expected, where)
  }
  t.deepEqual(await readAll(workspace, { ...window, model: '' }), [])
})

test('an event has all its fields, null where nothing is known', async (t) => {
  const workspace = await reads.makeWorkspace()
  const seed = {
    start: '2026-03-01T10:00:00.123456Z',
    trace: hexId(10, 32),
    span: hexId(11, 16),
    parent: hexId(12, 16),
    agent: 'coder',
  }
  const calls = {
    model: 'gpt-4.1-mini',
    input: 10,
    output: 3,
    cached: 2,
    cacheWrite: 1,
    reasoning: 0,
    costUsd: 0.25,
    durationUs: 1_500,
  }
  await storeEvents(reads.db.query, workspace, [
    { ...seed, ...calls, session: 's' },
    { ...seed, span: hexId(13, 16), parent: null, kind: 'other', durationUs: null },
  ])
  const [unknown, known] = await readAll(workspace, window)
  t.like(known, {
    id: `${seed.trace}.${seed.span}`,
    trace_id: seed.trace,
    span_id: seed.span,
    parent_span_id: seed.parent,
    agent_id: agentIdOf(workspace, 'coder'),
    agent_name: 'coder',
    session_id: 's',
    kind: 'llm',
    status: 'ok',
    model: 'gpt-4.1-mini',
    start_time: '2026-03-01T10:00:00.123Z',
    end_time: '2026-03-01T10:00:00.124Z',
    duration_ms: 1.5,
    input_tokens: 10,
    output_tokens: 3,
    cached_tokens: 2,
    cache_write_tokens: 1,
    reasoning_tokens: 0,
    cost_usd: 0.25,
    flags: [],
  })
  t.like(unknown, {
    parent_span_id: null,
    end_time: null,
    duration_ms: null,
    model: null,
    cost_usd: null,
    input_tokens: null,
    decision_id: null,
  })
})

test('a cursor that was altered, or is used elsewhere or with other filters, is a 422 at the cursor', async (t) => {
  const workspace = await reads.makeWorkspace()
  const other = await reads.makeWorkspace()
  await storeEvents(reads.db.query, workspace, makeEvents(makeRandom(6), 50, fromMs, 86_400_000))
  const query = { ...window, limit: 5, kind: 'llm' }
  const { body } = await reads.get<EventPage>(workspace, 'events', query)
  const cursor = body.next_cursor ?? ''
  const refused: [string, string, Record<string, string | number>][] = [
    [workspace, 'events', { ...query, cursor: alterEnd(cursor) }],
    [workspace, 'events', { ...query, cursor: 'x' }],
    [workspace, 'events', { ...query, cursor: '' }],
    [workspace, 'events', { ...query, kind: 'tool', cursor }],
    [workspace, 'events', { ...window, limit: 5, cursor }],
    [workspace, 'events', { ...query, status: 'ok', cursor }],
    [workspace, 'events', { ...query, from_time: '2026-03-01T00:00:01Z', cursor }],
    [workspace, 'events', { ...query, to_time: '2026-03-01T23:00:00Z', cursor }],
    [workspace, 'traces', { ...window, cursor }],
    [workspace, 'events/tail', { kind: 'llm', cursor }],
    [other, 'events', { ...query, cursor }],
    [workspace, 'events', { ...query, cursor: 'x'.repeat(6_001) }],
  ]
  for (const [at, path, parameters] of refused) {
    const answer = await reads.get<Invalid>(at, path, parameters)
    t.is(answer.status, 422, JSON.stringify(parameters))
    t.deepEqual(
      answer.body.detail.map(({ loc }) => loc),
      [['query', 'cursor']],
    )
  }
  for (const parameters of [
    { ...query, cursor },
    { kind: 'llm', cursor },
    { ...query, limit: 20, cursor },
  ]) {
    t.is((await reads.get(workspace, 'events', parameters)).status, 200)
  }
})

test('one event is returned with its payload', async (t) => {
  const workspace = await reads.makeWorkspace()
  const seed = {
    start: '2026-03-01T10:00:00.5Z',
    trace: hexId(20, 32),
    span: hexId(21, 16),
    kind: 'tool' as const,
    tool: 'search',
  }
  await storeEvents(reads.db.query, workspace, [seed, { ...seed, span: hexId(22, 16) }])
  const payload = {
    attributes: { 'gen_ai.tool.name': 'search', nested: { list: [1, null, 'é'] } },
    resource: { attributes: { 'service.name': 'x' }, schema_url: 'https://opentelemetry.io/schemas/1.37.0' },
    scope: { name: 'sdk', version: '1', attributes: {} },
    events: [{ name: 'exception', time: '2026-03-01T10:00:00.600Z', attributes: { a: 1 } }],
    links: [{ trace_id: hexId(1, 32), span_id: hexId(2, 16), attributes: {} }],
    dropped: { attributes: 1, events: 2, links: 3 },
    input_messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    tool_arguments: { q: 'x' },
    tool_result: null,
  }
  await reads.db.query(
    `insert into tool_results (workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      workspace,
      seed.start,
      Buffer.from(seed.trace, 'hex'),
      Buffer.from(seed.span, 'hex'),
      Buffer.alloc(99),
      Buffer.alloc(12),
      Buffer.alloc(16),
    ],
  )
  const block = makeUuidV7()
  await reads.db.query('insert into payload_blocks (workspace_id, id, start_time, body) values ($1, $2, $3, $4)', [
    workspace,
    block,
    seed.start,
    zstdCompressSync(JSON.stringify([{ attributes: { neighbour: true } }, payload])),
  ])
  await reads.db.query(
    "update events set key_id = 'k1', payload_id = $3, payload_no = 1 where workspace_id = $1 and span_id = $2",
    [workspace, Buffer.from(seed.span, 'hex'), block],
  )

  const { body: full } = await reads.get<Event>(workspace, `events/${seed.trace.toUpperCase()}.${seed.span}`)
  t.like(full, {
    ...payload,
    id: `${seed.trace}.${seed.span}`,
    tool_name: 'search',
    encrypted: { bytes: 99, key_id: 'k1' },
  })
  const { body: bare } = await reads.get<Event>(workspace, `events/${seed.trace}.${hexId(22, 16)}`)
  t.like(bare, { attributes: {}, events: [], links: [] })
  t.false('encrypted' in bare || 'tool_arguments' in bare)
})

test('spans of a trace with one id have ids of their own, each of which is answered', async (t) => {
  const workspace = await reads.makeWorkspace()
  const [trace, span] = [hexId(7, 32), hexId(9, 16)]
  const twice = { trace, span, flags: ['id_repeated'] }
  await storeEvents(reads.db.query, workspace, [
    { ...twice, start: '2026-03-01T10:00:00.1234Z', agent: 'first' },
    { ...twice, start: '2026-03-01T10:00:00.123456Z', agent: 'again' },
  ])
  const { items } = (await reads.get<EventPage>(workspace, 'events', window)).body
  const startUs = Date.parse('2026-03-01T10:00:00Z') * 1_000
  t.deepEqual(
    items.map((event) => [event['agent_name'], event.id]),
    [
      ['again', `${trace}.${span}.${startUs + 123_456}`],
      ['first', `${trace}.${span}.${startUs + 123_400}`],
    ],
  )
  const read = async (id: string) => await reads.get<Event>(workspace, `events/${id}`, {})
  for (const event of items) t.is((await read(event.id)).body['agent_name'], event['agent_name'])
  t.is((await read(`${trace}.${span}`)).body['agent_name'], 'first', 'without a start: the earliest')
  t.is((await read(`${trace}.${span}.${startUs}`)).status, 404)
})

test('an event that is not there is a 404, also with the ids of a foreign workspace, and ids of another form are a 422', async (t) => {
  const workspace = await reads.makeWorkspace()
  const other = await reads.makeWorkspace()
  await storeEvents(reads.db.query, other, [{ start: '2026-03-01T10:00:00Z', trace: hexId(1, 32), span: hexId(1, 16) }])
  const id = `${hexId(1, 32)}.${hexId(1, 16)}`
  t.is((await reads.get(other, `events/${id}`)).status, 200)
  t.deepEqual(await reads.get(workspace, `events/${id}`), { status: 404, body: { detail: 'Not found' } })
  for (const malformed of ['x', hexId(1, 32), `${hexId(1, 32)}.`, `${id}0`, `${id.slice(0, -1)}g`]) {
    const { status, body } = await reads.get<Invalid>(workspace, `events/${malformed}`)
    t.is(status, 422, malformed)
    t.like(body.detail[0], { loc: ['path', 'event_id'], type: 'string_pattern_mismatch' })
  }
})
