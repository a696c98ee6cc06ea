// Rules that the results of a tool are never read.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { isSessionHeldOut } from '../src/serving/session-holdout.ts'
import type { ToolOptions } from '../src/tracewright.ts'
import { countLookups, hmacOf, makeCounter, openWorld, reuseRule, type WeatherResult } from './_client.ts'
import { type ReceivedRequest, storedResult } from './_service.ts'

type Options = ToolOptions<{ city: string }, WeatherResult>

const deadRule = (changes: object = {}) => ({
  decision_id: randomUUID(),
  type: 'suppress_dead',
  tool_name: 'weather',
  input_hash: null,
  ...changes,
})
/** How a model's call is made. */
const byModel = { callId: 'call' }
const stub: Options = { attest: { unread: { serve: ({ city }) => ({ city, degrees: 0 }) } } }

test('the stub replaces the result, and nothing is fetched', async (t) => {
  const { service, client } = await openWorld(t)
  const rule = deadRule()
  service.setRules([rule])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, stub)
  t.deepEqual(await weather({ city: 'Oslo' }, byModel), { city: 'Oslo', degrees: 0 })
  t.deepEqual(await weather({ city: 'Bergen' }, byModel), { city: 'Bergen', degrees: 0 })
  t.is(counter.calls(), 0)
  t.is(countLookups(service), 0)
  t.is(tracewright.stats().servedFrom.stub, 2)
  const [span] = await service.received('execute_tool weather', 2)
  t.is(span?.attributes['tracewright.tool.served'], true)
  t.is(span?.attributes['tracewright.decision_id'], rule.decision_id)
})

test('a call without an id is not answered: whether its result is read is not known', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([deadRule(), deadRule({ tool_name: 'watched', holdout_rate: 1 })])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, stub)
  for (const call of [undefined, {}, { callId: '' }]) t.is((await weather({ city: 'Oslo' }, call)).city, 'Oslo')
  t.is(counter.calls(), 3)
  await tracewright.tool('watched', counter.fn, stub)({ city: 'Oslo' })
  t.like(tracewright.stats(), { served: 0, heldOut: 0, missed: {} })
  t.deepEqual(await weather({ city: 'Oslo' }, byModel), { city: 'Oslo', degrees: 0 })
})

test('results of a tool with a stub are not kept in memory', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([deadRule({ holdout_rate: 1 })])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { ...stub, scope: () => 'user 1' })
  await weather({ city: 'Oslo' }, byModel)
  t.is(counter.calls(), 1)
  t.is(tracewright.stats().memoryBytes, 0)
})

test('the newest result of a scope is served after a held-out call, whatever its result', async (t) => {
  const { service, client } = await openWorld(t)
  const rule = deadRule({ holdout_rate: 0.5 })
  service.setRules([rule])
  const tracewright = await client()
  const counter = makeCounter()
  const options: Options = { attest: { unread: { serve: 'stored' } }, scope: () => 'user 1' }
  const weather = tracewright.tool('weather', counter.fn, options)
  const sessions = Array.from({ length: 100 }, (_, nth) => `session ${nth}`)
  const [heldOut = '', free = ''] = [true, false].map((is) =>
    sessions.find((session) => isSessionHeldOut(rule.decision_id, session, 0.5) === is),
  )
  const call = async (sessionId: string, city: string): Promise<number> =>
    await tracewright.agent('guide', { sessionId }, async () => (await weather({ city }, byModel)).degrees)
  t.is(await call(free, 'Oslo'), 1)
  t.is(await call(free, 'Bergen'), 1)
  t.is(await call(heldOut, 'Bergen'), 2)
  t.is(await call(free, 'Bodø'), 2)
  t.like(tracewright.stats(), { served: 2, heldOut: 1 })
  await tracewright.flush()
  t.false(service.spans.some(({ attributes }) => 'tracewright.tool.changed' in attributes))
})

test('no claim implies another', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([deadRule(), reuseRule('climate', ['{"city":"Oslo"}'])])
  const tracewright = await client()
  const counter = makeCounter()
  const claims: Options['attest'][] = [true, { sameInput: true }, {}, false, { sameInput: false }]
  for (const attest of claims)
    await tracewright.tool('weather', counter.fn, { attest } as Options)({ city: 'Oslo' }, byModel)
  t.is(counter.calls(), claims.length, 'a rule about unread results needs that claim')
  const climate = tracewright.tool('climate', counter.fn, stub)
  await climate({ city: 'Oslo' }, byModel)
  await climate({ city: 'Oslo' }, byModel)
  t.is(counter.calls(), claims.length + 2, 'a rule about equal inputs needs that claim')
  t.is(tracewright.stats().served, 0)
  t.is(countLookups(service), 0)
  const [span] = await service.received('execute_tool climate', 2)
  t.is(span?.attributes['tracewright.tool.attested'], true)
  t.deepEqual(span?.attributes['tracewright.tool.claims'], ['unread'])
})

test('a tool may make both claims', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const both: Options = { attest: { sameInput: true, unread: { serve: () => ({ city: '', degrees: 0 }) } } }
  await tracewright.tool('weather', makeCounter().fn, both)({ city: 'Oslo' })
  const [span] = await service.received('execute_tool weather')
  t.deepEqual(span?.attributes['tracewright.tool.claims'], ['same_input', 'unread'])
  t.truthy(span?.attributes['tracewright.tool.ciphertext'])
})

const stubs: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('no stub')
    },
  ],
  ['returns a promise', async () => ({ city: '', degrees: 0 })],
  ['returns a promise that rejects', () => Promise.reject(new Error('no stub'))],
]
for (const [title, serve] of stubs) {
  test(`the tool runs for real where its stub ${title}`, async (t) => {
    const { service, client } = await openWorld(t)
    service.setRules([deadRule()])
    const tracewright = await client()
    const counter = makeCounter()
    const weather = tracewright.tool('weather', counter.fn, {
      attest: { unread: { serve: serve as () => WeatherResult } },
    })
    t.is((await weather({ city: 'Oslo' }, byModel)).degrees, 1)
    t.deepEqual(tracewright.stats().missed, { stub_failed: 1 })
    t.is(tracewright.stats().faults, 0)
  })
}

test('an input that cannot be hashed is never served', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([deadRule({ tool_name: 'odd' })])
  const tracewright = await client()
  let calls = 0
  const circular: { self?: object } = {}
  circular.self = circular
  const odd = tracewright.tool('odd', async (_input: unknown) => (calls += 1), {
    attest: { unread: { serve: () => 0 } },
  })
  for (const input of [circular, new Map(), Number.NaN, Symbol('x')]) await odd(input, byModel)
  t.is(calls, 4)
  t.is(await odd({ plain: true }, byModel), 0)
  t.is(tracewright.stats().served, 1)
})

test('the newest result of the same scope is fetched, whatever its input', async (t) => {
  const { service, client } = await openWorld(t)
  const options = {
    attest: { unread: { serve: 'stored' } },
    scope: ({ city }: { city: string }) => `user of ${city}`,
  } as const
  const writer = await client()
  await writer.tool('weather', makeCounter().fn, { ...options, scope: () => 'user 1' })({ city: 'Bergen' })
  const [span] = await service.received('execute_tool weather')
  t.is(span?.attributes['tracewright.tool.scope_hash'], hmacOf('tracewright/scope/1\n["weather",null]\nuser 1'))
  const rule = deadRule()
  service.setRules([rule])
  service.store(rule.decision_id, storedResult(span as ReceivedRequest, rule.decision_id))
  const reader = await client()
  const counter = makeCounter()
  const same = reader.tool('weather', counter.fn, { ...options, scope: () => 'user 1' })
  t.deepEqual(await same({ city: 'Oslo' }, byModel), { degrees: 1, city: 'Bergen' })
  const asked = service.requests.find((request) => request.includes('tool-result')) ?? ''
  t.true(asked.includes(`scope_hash=${encodeURIComponent(String(span?.attributes['tracewright.tool.scope_hash']))}`))
  t.false(asked.includes('input_hash'))
  await same({ city: 'Trondheim' }, byModel)
  t.is(countLookups(service), 1, 'kept in memory for the scope')
  const other = reader.tool('weather', counter.fn, { ...options, scope: () => 'user 2' })
  t.is((await other({ city: 'Bergen' }, byModel)).degrees, 1)
  t.is(counter.calls(), 1)
  t.deepEqual(reader.stats().missed, { other_call: 1 })
})

test('the holdout of such a rule is by session', async (t) => {
  const { service, client } = await openWorld(t)
  // The id decides which sessions are held out.
  const rule = deadRule({ decision_id: '6f1f9b1e-52d5-4f0c-9d0b-3f6f2a8a7c11', holdout_rate: 0.5 })
  service.setRules([rule])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, stub)
  const sessions = Array.from({ length: 20 }, (_, nth) => `session-${nth}`)
  for (const sessionId of [...sessions, ...sessions]) {
    const before = counter.calls()
    await tracewright.agent('a', { sessionId }, () => weather({ city: 'Oslo' }, byModel))
    t.is(counter.calls() - before, isSessionHeldOut(rule.decision_id, sessionId, 0.5) ? 1 : 0, sessionId)
  }
  t.true(counter.calls() > 0 && counter.calls() < 40)
})

test('without a session the holdout is by trace', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([deadRule({ holdout_rate: 0.5 })])
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, stub)
  for (let nth = 0; nth < 20; nth++) {
    const before = counter.calls()
    await tracewright.agent('a', {}, async () => {
      for (let call = 0; call < 3; call++) await weather({ city: 'Oslo' }, byModel)
    })
    t.true([0, 3].includes(counter.calls() - before))
  }
})

test('the share of held-out sessions is that of the rule, and each decision holds out different sessions', (t) => {
  const sessions = Array.from({ length: 4_000 }, (_, nth) => `session-${nth}`)
  const [first, second] = ['a', 'b'].map((decision) =>
    sessions.filter((session) => isSessionHeldOut(decision, session, 0.25)),
  ) as [string[], string[]]
  t.true(first.length > 850 && first.length < 1_150, `${first.length}`)
  const both = first.filter((session) => second.includes(session))
  t.true(both.length > 150 && both.length < 350, `${both.length}`)
  t.false(sessions.some((session) => isSessionHeldOut('a', session, 0)))
  t.true(sessions.every((session) => isSessionHeldOut('a', session, 1)))
})

test('a result counts as read unless the program says that only the model gets it', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const shown = tracewright.tool('shown', makeCounter().fn, stub)
  const hidden = tracewright.tool('hidden', makeCounter().fn, { ...stub, consumedBy: 'model' })
  const plain = tracewright.tool('plain', makeCounter().fn, { attest: true })
  await shown({ city: 'Oslo' }, { callId: 'shown' })
  await hidden({ city: 'Oslo' }, { callId: 'hidden' })
  await plain({ city: 'Oslo' }, { callId: 'plain' })
  const messages = ['shown', 'hidden', 'plain'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'Gunnhildur' }))
  await tracewright.llm(
    { provider: 'p', model: 'm', messages },
    () => 'Bye',
    () => ({ output: 'Bye' }),
  )
  const [span] = await service.received('chat m')
  t.deepEqual(span?.attributes['tracewright.consumed_tool_call_ids'], ['shown', 'hidden', 'plain'])
  t.deepEqual(span?.attributes['tracewright.read_tool_call_ids'], ['shown'])
  t.deepEqual(tracewright.evidence(messages, 'Bye').read, ['shown'])
})

test('the span of the tool says that its result counts as read: another process may have it in a prompt', async (t) => {
  const { service, client } = await openWorld(t)
  const [runner, asker] = [await client(), await client()]
  const tools = { shown: stub, hidden: { ...stub, consumedBy: 'model' }, plain: { attest: true } } as const
  for (const [name, options] of Object.entries(tools)) {
    const tool = runner.tool(name, makeCounter().fn, options)
    await tool({ city: 'Oslo' }, { callId: name })
    // Spans that begin in the same millisecond are in the order in which they arrive.
    await service.received(`execute_tool ${name}`, 1)
    await tool({ city: 'Oslo' })
  }
  const messages = [{ role: 'tool', tool_call_id: 'shown', content: 'Gunnhildur' }]
  asker.recordLlm({ provider: 'p', model: 'm', messages }, { output: 'Bye' }, { startMs: 0, endMs: 1 })
  const [prompt] = await service.received('chat m')
  t.false('tracewright.read_tool_call_ids' in (prompt?.attributes ?? {}), 'the other process cannot know it')
  for (const name of Object.keys(tools)) {
    const spans = await service.received(`execute_tool ${name}`, 2)
    const read = spans.map(({ attributes }) => attributes['tracewright.read_tool_call_ids'])
    t.deepEqual(read, [name === 'shown' ? ['shown'] : undefined, undefined], name)
  }
})
