// A model call that two traces report, settled in any order and by several processes, beside similar calls.
import test from 'ava'
import { type Event, noUsage } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom } from '../_kit/random.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { seed } from '../_kit/soak.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const startMs = Date.now() - 60_000

const at = (ms: number): Pick<Event, 'startTimeUnixNano' | 'agentFallback'> => ({
  startTimeUnixNano: BigInt(startMs + ms) * 1_000_000n,
  agentFallback: 'my-service',
})

/** Returns the framework's span and, within its time but in another trace, that of the client. */
function makeTold(responseId: string | null, ms = 0, more: Partial<Event> = {}): [framework: Event, client: Event] {
  return [
    makeLlmEvent(50, 5, { ...at(ms), durationUs: 100_000, scopeName: 'framework', responseId, ...more }),
    makeLlmEvent(50, 6, { ...at(ms + 2), durationUs: 90_000, scopeName: 'client', responseId, ...more }),
  ]
}

const store = async (workspace: string, events: readonly Event[]): Promise<void> =>
  void (await storeGroup(base.db, [makeBatch(workspace, [...events], { costUsd: 0.01 })]))

/** Settles until no trace is left. Returns how many were settled. */
async function settle(workspace: string): Promise<number> {
  const left = 'select from traces where workspace_id = $1 and not settled'
  let traces = 0
  while ((await base.query(left, [workspace])).length > 0) traces += (await settleUnhurried(base.db, 0)).traces
  return traces
}

type Row = { scope: string; counted: boolean; told_twice: boolean }

const read = async (workspace: string): Promise<Row[]> =>
  await base.query<Row>(
    `select scope_name as scope, counted, 'told_twice' = any (flags) as told_twice from events
     where workspace_id = $1 order by start_time, scope_name desc`,
    [workspace],
  )

const readSums = async (workspace: string): Promise<Record<string, number> | undefined> => {
  const [sums] = await base.query<Record<string, number>>(
    `select sum(llm_calls)::int as calls, sum(output_tokens)::int as output, sum(cost_usd)::float8 as cost,
       (select count(*)::int from events
        where workspace_id = $1 and status = 'error' and not 'error_carried' = any (flags)) as failures
     from traces where workspace_id = $1`,
    [workspace],
  )
  return sums
}

const readAgents = async (workspace: string): Promise<unknown[]> =>
  await base.query(
    `select a.name as agent, e.scope_name as scope from events e
     join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
     where e.workspace_id = $1 and e.counted and e.kind = 'llm'`,
    [workspace],
  )

const told = (framework: boolean): Row[] => [
  { scope: 'framework', counted: framework, told_twice: true },
  { scope: 'client', counted: !framework, told_twice: true },
]

test.serial(
  'one call in two traces counts once, whichever comes first; the earlier trace is settled once more',
  async (t) => {
    const orders = { 'both at once': [[0, 1]], 'client first': [[1], [0]], 'framework first': [[0], [1]] }
    for (const [order, batches] of Object.entries(orders)) {
      const workspace = await insertWorkspaceRow(base.query)
      const spans = makeTold('msg_1')
      let settled = 0
      for (const batch of batches) {
        await store(
          workspace,
          batch.map((nth) => spans[nth] as Event),
        )
        settled += await settle(workspace)
      }
      t.deepEqual(await read(workspace), told(false), order)
      t.deepEqual(await readSums(workspace), { calls: 1, output: 6, cost: 0.01, failures: 0 }, order)
      t.is(settled, batches.length === 1 ? 2 : 3, order)
      await base.query('update traces set settled = false where workspace_id = $1', [workspace])
      t.is(await settle(workspace), 2, 'settling them again changes nothing')
      t.deepEqual(await read(workspace), told(false), order)
    }
  },
)

test.serial(
  'a failed call in each of two traces that share another call is one failure, whichever comes first',
  async (t) => {
    const failed: Partial<Event> = { status: 'error', usage: noUsage }
    const runs = ['framework', 'client'].map((scopeName, nth) => {
      const more = { scopeName, traceId: Buffer.alloc(16, nth + 1).toString('hex'), durationUs: 100_000 }
      const root = makeEvent({ ...more, ...at(nth), kind: 'agent', durationUs: 500_000 })
      const inside = { ...more, parentSpanId: root.spanId }
      return [
        root,
        makeLlmEvent(50, 5, { ...inside, ...at(nth), ...failed, responseId: null }),
        makeLlmEvent(50, 5, { ...inside, ...at(200 + nth), responseId: 'msg_1' }),
      ]
    })
    for (const order of [runs, runs.toReversed()]) {
      const workspace = await insertWorkspaceRow(base.query)
      for (const run of order) {
        await store(workspace, run)
        await settle(workspace)
      }
      t.like(await readSums(workspace), { calls: 2, failures: 1 })
    }
  },
)

/** Stores a trace whose two spans of one call arrive in one request, so that ingest already decides between them. */
async function storeTold(workspace: string, counted: Event, other: Event): Promise<void> {
  const more = { costUsd: 0.01 }
  await storeGroup(base.db, [
    makeBatch(workspace, [counted], { ...more, resolved: { toldTwice: true } }),
    makeBatch(workspace, [other], { ...more, resolved: { toldTwice: true, counted: false } }),
  ])
  await base.query(
    `update events set flags = flags || '{told_twice}'::text[]
     where workspace_id = $1 and trace_id = decode($2, 'hex') and not 'told_twice' = any (flags)`,
    [workspace, counted.traceId],
  )
}

test.serial('a call that ingest found told twice counts once with that of an earlier trace', async (t) => {
  const [told, client] = makeTold('msg_1')
  const { traceId } = told
  const framework = { ...told, usage: { ...told.usage, cachedTokens: 10 } }
  const gateway = makeLlmEvent(50, 5, { ...at(4), durationUs: 80_000, scopeName: 'gateway', responseId: 'msg_1' })
  const library = makeLlmEvent(50, 5, { ...at(5), durationUs: 80_000, scopeName: 'library', responseId: 'msg_1' })
  const earlier = {
    'one span': async (workspace: string) => await store(workspace, [gateway]),
    'two spans': async (workspace: string) =>
      await storeTold(workspace, gateway, { ...library, traceId: gateway.traceId }),
  }
  for (const [name, storeEarlier] of Object.entries(earlier)) {
    const workspace = await insertWorkspaceRow(base.query)
    await storeEarlier(workspace)
    await settle(workspace)
    await storeTold(workspace, framework, { ...client, traceId })
    t.is(await settle(workspace), 2, name)
    t.deepEqual(await readSums(workspace), { calls: 1, output: 5, cost: 0.01, failures: 0 }, name)
    await base.query('update traces set settled = false where workspace_id = $1', [workspace])
    t.is(await settle(workspace), 2, `${name}: settling them again changes nothing`)
  }
})

test.serial(
  'a gateway of another service tells a call that two spans without and with its id tell, in any order',
  async (t) => {
    const [told, client] = makeTold('msg_1')
    const { traceId } = told
    const framework = { ...told, responseId: null, usage: { ...told.usage, cachedTokens: 10, reasoningTokens: 2 } }
    const more = { durationUs: 80_000, scopeName: 'gateway', responseId: 'msg_1' }
    const gateway = makeLlmEvent(50, 5, { ...at(4), ...more, agentFallback: 'proxy' })
    const run = [framework, { ...client, traceId }]
    for (const order of [[run, [gateway]], [[gateway], run], [[...run, gateway]]]) {
      const workspace = await insertWorkspaceRow(base.query)
      for (const batch of order) {
        await store(workspace, batch)
        await settle(workspace)
      }
      t.like(await readSums(workspace), { calls: 1 })
    }
  },
)

test.serial('a response that is fetched again, and reported in another trace, loses no usage', async (t) => {
  const responseId = `resp_${'0a1b2c3d'.repeat(6)}`
  const makeRun = (scopeName: string, usages: readonly Partial<Event>[]): Event[] => {
    const traceId = Buffer.alloc(16, scopeName).toString('hex')
    return usages.map((usage, nth) =>
      makeLlmEvent(50, 5, {
        ...at(nth * 900 + (scopeName === 'client' ? 2 : 0)),
        traceId,
        scopeName,
        responseId,
        durationUs: 90_000,
        ...usage,
      }),
    )
  }
  const without: Partial<Event> = { usage: noUsage }
  const cases: Readonly<Record<string, readonly [Event[], Event[], number]>> = {
    'only the fetch has usage': [makeRun('framework', [without]), makeRun('client', [without, {}]), 2],
    'all have usage': [makeRun('framework', [{}, {}]), makeRun('client', [{}, {}]), 1],
  }
  for (const [name, [framework, client, calls]] of Object.entries(cases))
    for (const order of [[framework, client], [client, framework], [[...framework, ...client]]]) {
      const workspace = await insertWorkspaceRow(base.query)
      for (const batch of order) {
        await store(workspace, batch)
        await settle(workspace)
      }
      t.like(await readSums(workspace), { calls, output: 5 }, name)
      await base.query('update traces set settled = false where workspace_id = $1', [workspace])
      t.is(await settle(workspace), 2, `${name}: settling them again changes nothing`)
      t.like(await readSums(workspace), { calls, output: 5 }, name)
    }
})

test.serial('a call counts for the agent that another trace of it names, whichever comes first', async (t) => {
  const [told, client] = makeTold('msg_1')
  const counted = { ...client, usage: { ...client.usage, cachedTokens: 10 } }
  const root = makeEvent({
    ...at(-10),
    traceId: told.traceId,
    kind: 'agent',
    agentOwn: 'researcher',
    durationUs: 500_000,
  })
  const run = [root, { ...told, parentSpanId: root.spanId }]
  for (const order of [[run, [counted]], [[counted], run], [[...run, counted]]]) {
    const workspace = await insertWorkspaceRow(base.query)
    for (const batch of order) {
      await store(workspace, batch)
      await settle(workspace)
    }
    t.deepEqual(await readAgents(workspace), [{ agent: 'researcher', scope: 'client' }])
  }
})

test.serial('a call that two spans of its trace report counts for the agent that another trace names', async (t) => {
  const [told, client] = makeTold('msg_1')
  const counted = { ...client, usage: { ...client.usage, cachedTokens: 10 } }
  const { traceId } = client
  const inner = makeLlmEvent(50, 6, { ...at(4), traceId, durationUs: 80_000, scopeName: 'sdk', responseId: 'msg_1' })
  const around = makeLlmEvent(50, 6, { ...at(1), traceId, durationUs: 95_000, scopeName: 'sdk', responseId: 'msg_1' })
  const root = makeEvent({
    ...at(-10),
    traceId: told.traceId,
    kind: 'agent',
    agentOwn: 'researcher',
    durationUs: 500_000,
  })
  for (const other of [inner, around]) {
    const workspace = await insertWorkspaceRow(base.query)
    await store(workspace, [root, { ...told, parentSpanId: root.spanId }, counted, other])
    await settle(workspace)
    t.deepEqual(await readAgents(workspace), [{ agent: 'researcher', scope: 'client' }])
  }
})

test.serial('a call gets the agent that a late span of the other trace names', async (t) => {
  const [told, client] = makeTold('msg_1')
  const counted = { ...client, usage: { ...client.usage, cachedTokens: 10 } }
  const more = { traceId: told.traceId, kind: 'agent', durationUs: 500_000 } as const
  const root = makeEvent({ ...at(-10), ...more, agentOwn: 'researcher' })
  const late = makeEvent({ ...at(-5), ...more, agentOwn: 'writer', parentSpanId: root.spanId })
  const workspace = await insertWorkspaceRow(base.query)
  await store(workspace, [{ ...told, parentSpanId: late.spanId }, root])
  await settle(workspace)
  await store(workspace, [counted])
  await settle(workspace)
  await store(workspace, [late])
  await settle(workspace)
  t.deepEqual(await readAgents(workspace), [{ agent: 'writer', scope: 'client' }])
})

test.serial(
  'a call whose one trace names only the requested model counts once, parallel calls of two models twice',
  async (t) => {
    const names = [
      { model: 'prod-chat', requestModel: 'prod-chat' },
      { model: 'gpt-4o-2024-08-06', requestModel: 'prod-chat' },
    ] as const
    const [framework, client] = makeTold(null)
    const spans = [
      { ...framework, ...names[0] },
      { ...client, ...names[1] },
    ]
    for (const order of [spans, spans.toReversed()]) {
      const workspace = await insertWorkspaceRow(base.query)
      for (const span of order) {
        await store(workspace, [span])
        await settle(workspace)
      }
      t.is((await readSums(workspace))?.['calls'], 1)
    }
    const parallel = await insertWorkspaceRow(base.query)
    await store(parallel, [
      { ...framework, ...names[0] },
      { ...client, model: 'gpt-4o-mini', requestModel: 'gpt-4o-mini' },
    ])
    await settle(parallel)
    t.is((await readSums(parallel))?.['calls'], 2)
  },
)

test.serial('the control: spans of one scope in two traces are two calls', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  await store(workspace, makeTold('msg_1', 0, { scopeName: 'client' }))
  await settle(workspace)
  t.like(await readSums(workspace), { calls: 2, output: 11 })
})

test.serial('equal ids in two workspaces are never compared', async (t) => {
  const workspaces = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)]
  const spans = makeTold('msg_1')
  for (const [nth, workspace] of workspaces.entries()) await store(workspace, [spans[nth] as Event])
  for (const workspace of workspaces) {
    await settle(workspace)
    t.like(await readSums(workspace), { calls: 1 })
    t.deepEqual(
      (await read(workspace)).map((row) => row.told_twice),
      [false],
    )
  }
})

test.serial('without an id on one side or on both: streams, and calls that failed', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const [stream, ofStream] = makeTold(null)
  const failed = { status: 'error', usage: { ...stream.usage, inputTokens: null, outputTokens: null } } as const
  const spans = [stream, { ...ofStream, responseId: 'msg_1' }, ...makeTold(null, 5_000, failed)]
  // One by one: each pair is found from either side.
  for (const span of [spans[1], spans[0], spans[2], spans[3]] as Event[]) {
    await store(workspace, [span])
    await settle(workspace)
  }
  t.deepEqual(await read(workspace), [...told(false), ...told(false)])
  t.like(await readSums(workspace), { calls: 2, output: 6, failures: 1 })
  // Both traces of the failed call are shown as failed.
  const shown = await base.query('select from traces where workspace_id = $1 and error_count = 1', [workspace])
  t.is(shown.length, 2)
})

/** Returns the framework's call below its agent, and in another trace two clients of which one calls the other. */
function makeThreeScopes(more: Partial<Event> = {}): Event[] {
  const [framework, client] = makeTold(null)
  const agent = makeEvent({ ...at(-5), traceId: framework.traceId, kind: 'agent', durationUs: 110_000 })
  const around = { ...client, ...at(1), spanId: 'a'.repeat(16), scopeName: 'wrapper', durationUs: 92_000, ...more }
  return [agent, { ...framework, parentSpanId: agent.spanId }, around, { ...client, parentSpanId: around.spanId }]
}

test.serial(
  'without an id: three scopes tell of a call in two traces, and the one that counts is not the root',
  async (t) => {
    const orders = {
      'framework first': [
        [0, 1],
        [2, 3],
      ],
      'clients first': [
        [2, 3],
        [0, 1],
      ],
      'all at once': [[0, 1, 2, 3]],
    }
    for (const [order, batches] of Object.entries(orders)) {
      const workspace = await insertWorkspaceRow(base.query)
      const spans = makeThreeScopes()
      for (const batch of batches) {
        await store(
          workspace,
          batch.map((nth) => spans[nth] as Event),
        )
        await settle(workspace)
      }
      t.like(await readSums(workspace), { calls: 1, output: 5 }, order)
    }
    // Here the outer span of the other trace does not report a call: the call inside it was made for another reason than the framework's.
    const workspace = await insertWorkspaceRow(base.query)
    await store(workspace, makeThreeScopes({ kind: 'agent' }))
    await settle(workspace)
    t.like(await readSums(workspace), { calls: 2, output: 11 })
  },
)

test.serial('many embeddings of its own trace do not hide the other report of a call', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const [framework] = makeTold(null, 0, { durationUs: 1_000_000 })
  const [, client] = makeTold(null, 500, { durationUs: 490_000 })
  const more = { traceId: client.traceId, scopeName: 'client', durationUs: 1_000, kind: 'embedding' } as const
  const between = Array.from({ length: 40 }, (_, nth) => makeLlmEvent(7, 0, { ...at(100 + nth), ...more }))
  for (const events of [[framework], [client, ...between]]) {
    await store(workspace, events)
    await settle(workspace)
  }
  t.is((await readSums(workspace))?.['calls'], 1)
})

test.serial('in a trace of very many spans, the outermost calls are not looked up', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const pairs = (count: number): Event[] => {
    const traceId = makeEvent().traceId
    return Array.from({ length: count }, (_, nth) => {
      const [, client] = makeTold(null, 10_000 + nth, { traceId })
      const around = { ...client, spanId: makeEvent().spanId, scopeName: 'wrapper' }
      return [around, { ...client, parentSpanId: around.spanId }]
    }).flat()
  }
  const rowsOf = async (events: readonly Event[]): Promise<number> => {
    await store(workspace, events)
    await settle(workspace)
    const values = [[workspace], [events[0]?.traceId]]
    return await base.db.tx(async (tx) => (await tx.rows('ingest/find-spans-around-calls', values)).length)
  }
  t.is(await rowsOf(pairs(1)), 1)
  t.is(await rowsOf(pairs(501)), 0)
})

test.serial(
  'ten equal calls at once that two scopes report are ten; settled by two at once, in any order',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const spans = Array.from({ length: 10 }, (_, nth) => makeTold(null, nth)).flat()
    const writing = new AbortController()
    const settlers = [0, 1].map(async () => {
      while (!writing.signal.aborted) await settleUnhurried(base.db, 0)
    })
    try {
      for (const span of makeRandom(seed).shuffle(spans)) await store(workspace, [span])
    } finally {
      writing.abort()
      await Promise.all(settlers)
    }
    await settle(workspace)
    t.like(await readSums(workspace), { calls: 10 })
    t.true((await read(workspace)).every((row) => row.told_twice && row.counted === (row.scope === 'client')))
  },
)

test.serial(
  'while another process holds the earlier trace, the later one waits, and both are settled after it',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    const [framework, client] = makeTold('msg_1')
    await store(workspace, [framework])
    await settle(workspace)
    await store(workspace, [client])
    const before = await read(workspace)
    const [isHeld, isDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = base.db.tx(async (tx) => {
      await tx.run('ingest/reopen-traces', [[workspace], [framework.traceId], [null]])
      isHeld.resolve()
      await isDone.promise
    })
    await Promise.race([isHeld.promise, holding])
    try {
      t.is((await settleUnhurried(base.db, 0)).traces, 0)
      t.deepEqual(await read(workspace), before, 'nothing is decided by halves')
    } finally {
      isDone.resolve()
      await holding
    }
    await settle(workspace)
    t.deepEqual(await read(workspace), told(false))
    t.like(await readSums(workspace), { calls: 1 })
  },
)
