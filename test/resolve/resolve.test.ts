import test from 'ava'
import fc from 'fast-check'
import type { Kind } from '../../src/event/event.ts'
import { type Resolved, type ResolveInput, resolve } from '../../src/resolve/resolve.ts'
import { findGrowthFault, leastCpuMs } from '../_kit/looks.ts'
import { inSoak, seed } from '../_kit/soak.ts'
import { type Given, makeInput } from './_input.ts'

const over = (...given: Given[]): Resolved[] => resolve(given.map(makeInput))
const counted = (...given: Given[]): string[] =>
  over(...given).flatMap((resolved, index) => (resolved.counted ? [given[index]?.id ?? ''] : []))

test('the agent of a span is its own, else that of the nearest ancestor, else the fallback', (t) => {
  const agents = over(
    { id: 'call', in: 'step' },
    { id: 'step', in: 'inner' },
    { id: 'inner', in: 'outer', agentOwn: 'B' },
    { id: 'outer', agentOwn: 'A' },
    { id: 'own', in: 'inner', agentOwn: 'C' },
    { id: 'lone', in: 'missing', agentFallback: 'other-svc' },
  ).map((resolved) => resolved.agentName)
  t.deepEqual(agents, ['B', 'B', 'B', 'A', 'C', 'other-svc'])
})

test('a fallback is provisional where a span that arrives later may name the agent', (t) => {
  const provisional = over(
    { id: 'root' },
    { id: 'child', in: 'root' },
    { id: 'orphan', in: 'missing' },
    { id: 'below', in: 'orphan' },
    { id: 'named', in: 'missing', agentOwn: 'A' },
    { id: 'under', in: 'named' },
  ).map(({ agentProvisional }) => agentProvisional)
  t.deepEqual(provisional, [false, false, true, true, false, false])
})

test('a session reaches down from ancestors, and from the root to spans beside it', (t) => {
  const resolved = over(
    { id: 'root', at: 5, sessionOwn: 's-root', userOwn: 'u' },
    { id: 'child', in: 'root', at: 6 },
    { id: 'own', in: 'root', at: 6, sessionOwn: 's-own' },
    { id: 'below', in: 'own', at: 7 },
    { id: 'early', in: 'missing', at: 1, sessionOwn: 's-early' },
    { id: 'orphan', in: 'missing', at: 2 },
  )
  t.deepEqual(
    resolved.map((one) => one.sessionId),
    ['s-root', 's-root', 's-own', 's-own', 's-early', 's-root'],
  )
  t.true(resolved.every((one) => one.userId === 'u'))
  const rootless = over(
    { id: 'late', in: 'missing', at: 9, sessionOwn: 'late' },
    { id: 'early', in: 'missing', at: 1, sessionOwn: 'early' },
    { id: 'orphan', in: 'missing' },
  )
  t.is(rootless[2]?.sessionId, 'early')
  t.is(over({ id: 'a' })[0]?.sessionId, null)
})

test('of nested calls with usage the innermost counts', (t) => {
  const usage = { kind: 'llm', hasUsage: true } as const
  t.deepEqual(counted({ id: 'a', ...usage }, { id: 'b', in: 'a', ...usage }, { id: 'c', in: 'b', ...usage }), ['c'])
  t.deepEqual(counted({ id: 'a', ...usage }, { id: 'step', in: 'a' }, { id: 'b', in: 'step', ...usage }), ['b'])
  t.deepEqual(counted({ id: 'a', ...usage }, { id: 'b', in: 'a', ...usage }, { id: 'c', in: 'a', ...usage }), [
    'b',
    'c',
  ])
  const embedding = { kind: 'embedding', hasUsage: true } as const
  t.deepEqual(counted({ id: 'a', ...embedding }, { id: 'b', in: 'a', ...embedding }), ['b'])
})

test('a call that is made during another one counts beside it, unless the outer span may report the inner call', (t) => {
  const outer = {
    id: 'outer',
    kind: 'llm',
    hasUsage: true,
    scopeName: 'pydantic-ai',
    model: 'gpt-4o',
    responseId: 'chatcmpl-A',
    inputTokens: 900,
    outputTokens: 500,
    endTimeUs: 5_000_000,
  } as const
  const inner = {
    ...outer,
    id: 'inner',
    in: 'outer',
    scopeName: 'logfire.openai',
    model: 'gpt-4o-mini',
    responseId: 'chatcmpl-B',
    inputTokens: 50,
    outputTokens: 5,
    at: 2_000_000,
    endTimeUs: 2_300_000,
  }
  for (const resolved of over(outer, inner)) t.like(resolved, { counted: true, toldTwice: false, nestedCall: false })
  t.deepEqual(counted(outer, { id: 'step', in: 'outer' }, { ...inner, in: 'step' }), ['outer', 'inner'])
  t.deepEqual(counted(outer, inner, { ...inner, id: 'again' }), ['outer', 'inner', 'again'])
  const around = { ...outer, id: 'around', scopeName: 'framework', responseId: null }
  t.deepEqual(
    counted(around, { ...outer, in: 'around' }, inner),
    ['outer', 'inner'],
    'two scopes report the outer call',
  )
  const others = {
    'the model': { model: 'gpt-4o' },
    'the model with its date': { model: 'gpt-4o-2024-08-06' },
    'no model': { model: null },
    'the scope': { scopeName: 'pydantic-ai' },
    'the input': { inputTokens: 900 },
    'the output': { outputTokens: 501 },
    'no output': { outputTokens: 0 },
  }
  for (const [name, other] of Object.entries(others))
    t.deepEqual(counted(outer, { ...inner, ...other }), ['inner'], name)
  t.deepEqual(counted({ ...outer, responseId: 'chatcmpl-B' }, inner), ['inner'], 'the id')
  t.deepEqual(
    counted(outer, inner, { ...inner, id: 'same', model: 'gpt-4o' }),
    ['inner', 'same'],
    'another call inside',
  )
  t.deepEqual(counted({ ...outer, responseId: null }, inner), ['inner'], 'a framework that sums up calls has no id')
  t.deepEqual(
    counted(outer, { ...inner, at: 100, endTimeUs: 4_900_000 }),
    ['inner'],
    'a gateway, which renames the model',
  )
  const mute = {
    ...inner,
    id: 'mute',
    responseId: null,
    hasUsage: false,
    inputTokens: null,
    outputTokens: null,
    model: null,
  }
  t.deepEqual(
    counted(outer, inner, { ...mute, at: 0, endTimeUs: 4_900_000 }),
    ['outer', 'inner'],
    'a client without usage',
  )
})

test('of the calls of a loop that are nested in one another and all report the last one, as with RubyLLM, the last one counts', (t) => {
  const call = {
    kind: 'llm',
    hasUsage: true,
    scopeName: 'ruby',
    model: 'm',
    inputTokens: 900,
    outputTokens: 40,
  } as const
  const tool = { kind: 'tool', scopeName: 'ruby', toolName: 'look_up' } as const
  const turn: Given[] = [
    { ...call, id: 'first', endTimeUs: 900 },
    { ...tool, id: 'tool', in: 'first', at: 100, endTimeUs: 200, toolCallId: 'c-1' },
    { ...call, id: 'second', in: 'first', at: 300, endTimeUs: 800 },
    { ...tool, id: 'again', in: 'second', at: 400, endTimeUs: 500, toolCallId: 'c-2' },
    { ...call, id: 'last', in: 'second', at: 600, endTimeUs: 700 },
  ]
  t.deepEqual(counted(...turn), ['tool', 'again', 'last'])
  const client: Given = { ...call, id: 'client', in: 'last', at: 610, endTimeUs: 690, scopeName: 'client' }
  t.deepEqual(counted(...turn, client), ['tool', 'again', 'client'], 'reported by a client as well')
  const ofFirst = { ...client, id: 'of first', in: 'first', at: 10, endTimeUs: 90, inputTokens: 500, outputTokens: 20 }
  const ofSecond = { ...client, id: 'of second', in: 'second', at: 310, endTimeUs: 390, inputTokens: 700 }
  t.deepEqual(counted(...turn, ofFirst, ofSecond, client), ['tool', 'again', 'of first', 'of second', 'client'])
  const delegated: Given = { ...call, id: 'delegated', in: 'tool', at: 110, endTimeUs: 190 }
  t.deepEqual(counted(...turn, delegated), ['tool', 'again', 'last', 'delegated'], 'a call that a tool makes')
  const failed = turn.map((span) => (span.kind === 'llm' ? { ...span, hasUsage: false, isError: true } : span))
  t.deepEqual(failures(...failed), ['last'])
})

test('of nested calls of two agents, both count', (t) => {
  const call = { kind: 'llm', hasUsage: true, scopeName: 'volt' } as const
  const outer = { ...call, id: 'support', agentOwn: 'support' }
  const guardrail = { id: 'guardrail', in: 'support', agentOwn: 'support' }
  const checker = { ...call, id: 'checker', in: 'guardrail', agentOwn: 'checker' }
  const wrapped = { ...call, id: 'step', in: 'checker' }
  t.deepEqual(counted(outer, guardrail, checker), ['support', 'checker'])
  t.deepEqual(counted(outer, guardrail, checker, wrapped), ['support', 'step'])
  const failed = { id: 'failed', in: 'checker', kind: 'llm', scopeName: 'volt' } as const
  t.deepEqual(counted(outer, guardrail, checker, failed), ['support', 'checker'])
  for (const agentOwn of ['support', null])
    t.deepEqual(counted(outer, guardrail, { ...checker, agentOwn }), ['checker'], String(agentOwn))
  t.deepEqual(counted({ ...outer, hasUsage: false }, guardrail, checker), ['checker'], 'the outer one only wraps')
  t.deepEqual(counted(outer, guardrail, { ...checker, scopeName: 'client' }), ['checker'], 'another report of it')
})

test('of nested reports of one call that which tells most of its usage apart counts, whether the input holds the cache or not', (t) => {
  const call = { kind: 'llm', hasUsage: true, model: 'claude', outputTokens: 50 } as const
  const framework = {
    id: 'framework',
    ...call,
    scopeName: 'strands',
    inputTokens: 3_000,
    cacheTokens: 2_700,
    usageDetail: 2,
  }
  const client = { id: 'client', in: 'framework', ...call, scopeName: 'botocore', inputTokens: 300 }
  const [outer, inner] = over(framework, client)
  t.like(outer, { counted: true, toldTwice: true, nestedCall: false, callAt: 0 })
  t.like(inner, { counted: false, toldTwice: true, callAt: 0 })
  t.deepEqual(counted(framework, { ...client, inputTokens: 3_000 }), ['framework'])
  t.deepEqual(counted(framework, { ...client, inputTokens: 3_000, cacheTokens: 2_700, usageDetail: 2 }), ['client'])
  t.deepEqual(counted(framework, { ...client, inputTokens: 700 }), ['client'], 'another input')
  t.deepEqual(counted(framework, { ...client, outputTokens: 90 }), ['client'], 'another output')
  t.deepEqual(counted(framework, { ...client, scopeName: 'strands' }), ['client'], 'one scope')
  t.deepEqual(counted(framework, client, { ...client, id: 'again', at: 5 }), ['framework', 'again'], 'two calls')
  const between = { ...client, id: 'between', scopeName: 'wrapper' }
  t.deepEqual(counted(framework, between, { ...client, in: 'between' }), ['framework'], 'of three')
  const beside = { ...client, id: 'beside', in: 'turn', scopeName: 'proxy', responseId: 'r' }
  const turn = { id: 'turn' }
  t.deepEqual(counted(turn, { ...framework, in: 'turn' }, { ...client, responseId: 'r' }, beside), ['framework'])
  const failed = { isError: true, outputTokens: null }
  t.deepEqual(failures({ ...framework, ...failed }, { ...client, ...failed }), ['framework'])
})

test('of nested reports with one response id the priced one counts, although a server does not name the model', (t) => {
  const call = { kind: 'llm', hasUsage: true, inputTokens: 128, outputTokens: 512, responseId: 'r' } as const
  const client = { id: 'client', ...call, scopeName: 'client', model: 'qwen', usageDetail: 8 }
  const server = { id: 'server', in: 'client', ...call, scopeName: 'vllm' }
  const [outer, inner] = over(client, server)
  t.like(outer, { counted: true, toldTwice: true, callAt: 0 })
  t.like(inner, { counted: false, toldTwice: true, callAt: 0 })
  t.deepEqual(counted(client, { ...server, responseId: 'another' }), ['server'])
  t.deepEqual(counted({ ...client, inputTokens: 900 }, server), ['server'], 'a sum of several calls')
})

test('equal calls side by side stay two where the client of one of them alone is known', (t) => {
  const call = {
    kind: 'llm',
    hasUsage: true,
    model: 'm',
    inputTokens: 1_000,
    outputTokens: 50,
    endTimeUs: 90_000,
  } as const
  const known: Given[] = [
    { id: 'a', ...call, scopeName: 'framework' },
    { id: 'client', in: 'a', ...call, scopeName: 'client' },
  ]
  const alone: Given = { id: 'b', ...call, scopeName: 'framework' }
  t.deepEqual(counted(...known, alone), ['client', 'b'])
  t.deepEqual(counted(...known, { ...alone, id: 'inside', in: 'a' }), ['client'], 'both inside of one report')
  const id = { responseId: 'r' }
  t.is(counted(...known.map((span) => ({ ...span, ...id })), { ...alone, ...id }).length, 1, 'of one id')
  const proxy = { ...alone, id: 'proxy', scopeName: 'proxy' }
  t.is(counted(...known, alone, proxy).length, 2, 'a third scope links no two calls')
})

test('of two spans around reports of one call that tell as much of it, the same counts in any order', (t) => {
  const call = {
    kind: 'llm',
    hasUsage: true,
    model: 'm',
    inputTokens: 1_000,
    outputTokens: 50,
    responseId: 'r',
  } as const
  const detail = { cacheTokens: 900, usageDetail: 2 }
  const spans: Given[] = [
    { id: 'a', ...call, ...detail, scopeName: 'framework' },
    { id: 'b', ...call, scopeName: 'client', in: 'a' },
    { id: 'c', ...call, ...detail, scopeName: 'gateway' },
    { id: 'd', ...call, scopeName: 'proxy', in: 'c' },
  ]
  t.deepEqual(counted(...spans), counted(...spans.toReversed()))
})

test('the response id of a gateway counts, not that of the provider behind it, which the client does not know', (t) => {
  const call = { kind: 'llm', hasUsage: true, model: 'gpt', inputTokens: 2_000, outputTokens: 50 } as const
  const received = { id: 'received', ...call, scopeName: 'litellm', responseId: 'resp_of_gateway', at: 0 }
  const sent = { id: 'sent', in: 'received', ...call, scopeName: 'litellm', responseId: 'resp_of_provider', at: 1 }
  t.deepEqual(counted(received, sent), ['received'])
  t.deepEqual(counted(received, { id: 'step', in: 'received' }, { ...sent, in: 'step' }), ['received'])
  t.deepEqual(counted({ ...received, responseId: sent.responseId }, sent), ['sent'], 'one id')
  t.deepEqual(counted({ ...received, responseId: null }, sent), ['sent'], 'no id of its own')
  t.deepEqual(counted({ ...received, scopeName: 'framework' }, sent), ['sent'], 'two scopes')
  t.deepEqual(counted({ ...received, outputTokens: 90 }, sent), ['sent'], 'another output')
  // The number of calls stays the same, whichever span counts.
  const again = { ...sent, id: 'again', responseId: 'resp_of_another', at: 2 }
  t.is(counted(received, sent, again).length, 2)
  const failed = { ...sent, id: 'failed', responseId: null, isError: true, hasUsage: false, outputTokens: null }
  t.deepEqual(counted(received, failed, sent), ['received', 'failed'], 'sent again after a failure')
  const fanOut = Array.from({ length: 10 }, (_, nth) => [
    { ...received, id: `received ${nth}`, responseId: `resp_of_gateway_${nth}` },
    { ...sent, id: `sent ${nth}`, in: `received ${nth}`, responseId: `resp_of_provider_${nth}` },
  ])
  t.is(counted(...fanOut.flat()).length, 10, 'ten equal calls at once')
  const client = { id: 'client', ...call, scopeName: 'openai', responseId: 'resp_of_gateway' }
  const trace = { id: 'trace' }
  const beside = over(trace, { ...client, in: 'trace' }, { ...received, in: 'trace' }, sent)
  t.is(beside.filter((resolved) => resolved.counted).length, 1, 'its client beside it')
})

test('of nested calls, the one with usage counts, above or below', (t) => {
  t.deepEqual(counted({ id: 'a', kind: 'llm', hasUsage: true }, { id: 'b', in: 'a', kind: 'llm' }), ['a'])
  t.deepEqual(counted({ id: 'a', kind: 'llm' }, { id: 'b', in: 'a', kind: 'llm', hasUsage: true }), ['b'])
  t.deepEqual(counted({ id: 'a', kind: 'llm' }, { id: 'b', in: 'a', kind: 'llm' }), ['b'])
  t.deepEqual(
    counted(
      { id: 'a', kind: 'llm', hasUsage: true },
      { id: 'b', in: 'a', kind: 'llm', hasUsage: true },
      { id: 'c', in: 'a', kind: 'llm' },
    ),
    ['b', 'c'],
  )
  t.deepEqual(counted({ id: 'a', kind: 'llm' }), ['a'])
})

test('a tool or an agent between two calls separates them, other spans do not', (t) => {
  const usage = { kind: 'llm', hasUsage: true } as const
  for (const wall of ['tool', 'agent'] as const) {
    const ids = counted({ id: 'a', ...usage }, { id: 'wall', in: 'a', kind: wall }, { id: 'b', in: 'wall', ...usage })
    t.deepEqual(ids, wall === 'tool' ? ['a', 'wall', 'b'] : ['a', 'b'])
  }
  t.deepEqual(
    counted(
      { id: 'a', ...usage },
      { id: 'e', in: 'a', kind: 'embedding', hasUsage: true },
      { id: 'b', in: 'e', ...usage },
    ),
    ['e', 'b'],
  )
})

test('only calls count: never agents, chains and the like, even with usage', (t) => {
  const kinds: Kind[] = ['agent', 'chain', 'retriever', 'reranker', 'guardrail', 'evaluator', 'memory', 'other']
  t.deepEqual(counted(...kinds.map((kind) => ({ id: kind, kind, hasUsage: true }))), [])
})

test('a tool call told several times counts once, at its earliest', (t) => {
  const call = { kind: 'tool', toolCallId: 'c1' } as const
  t.deepEqual(counted({ id: 'b', at: 2, ...call }, { id: 'a', at: 1, ...call }), ['a'])
  t.deepEqual(counted({ id: 'a', in: 'z', at: 1, ...call }, { id: 'z', at: 1, ...call }), ['z'])
  t.deepEqual(counted({ id: 'b', at: 1, ...call }, { id: 'a', at: 1, ...call }), ['a'])
  t.deepEqual(counted({ id: 'a', ...call }, { id: 'b', kind: 'tool', toolCallId: 'c2' }), ['a', 'b'])
})

test('calls of one instrumentation with one id count each, those of two instrumentations once', (t) => {
  const tool = (id: string, scopeName: string, more: Partial<Given> = {}): Given => ({
    id,
    kind: 'tool',
    toolCallId: 'call_0',
    scopeName,
    at: Number(id.slice(1)),
    ...more,
  })
  t.deepEqual(counted(tool('a1', 'x'), tool('a2', 'x'), tool('a3', 'x')), ['a1', 'a2', 'a3'], 'retries')
  t.deepEqual(counted(tool('a1', 'x'), tool('a2', 'x', { in: 'a1' })), ['a1'], 'one in the other')
  t.deepEqual(counted(tool('a1', 'x'), tool('a2', 'y')), ['a1'])
  t.deepEqual(counted(tool('a1', 'x'), tool('a2', 'y'), tool('a3', 'x'), tool('a4', 'y')), ['a1', 'a3'])
  t.deepEqual(counted(tool('a1', 'x'), tool('a2', 'y'), tool('a3', 'y')), ['a2', 'a3'], 'the scope that reports more')
  const [search, fetch] = [{ toolName: 'search' }, { toolName: 'fetch' }]
  t.deepEqual(counted(tool('a1', 'x', search), tool('a2', 'y', fetch)), ['a1', 'a2'], 'a count of two agents')
  t.deepEqual(
    counted(tool('a1', 'x', search), tool('a2', 'x', { ...fetch, in: 'a1' })),
    ['a1', 'a2'],
    'an agent as a tool',
  )
  t.deepEqual(
    counted(tool('a1', 'x', search), tool('a2', 'y', { ...fetch, in: 'a1' })),
    ['a1'],
    'a library with its own name',
  )
  t.deepEqual(counted(tool('a1', 'x', search), tool('a2', 'y', search), tool('a3', 'z')), ['a1'])
  const unique = { toolCallId: 'call_8Kq2mVb1' }
  t.deepEqual(counted(tool('a1', 'x', { ...search, ...unique }), tool('a2', 'y', { ...fetch, ...unique })), ['a1'])
  const [host, client] = [{ toolName: 'mcp__w__search' }, { toolName: 'search' }]
  t.deepEqual(counted(tool('a1', 'x', host), tool('a2', 'mcp-python-sdk', client)), ['a1'], 'behind a prefix')
})

test('a tool span without an id inside one of the same tool is the same call', (t) => {
  const outer = { id: 'outer', kind: 'tool', toolName: 'search', toolCallId: 'c1' } as const
  const inner = (given: Partial<Given>) =>
    ({ id: 'inner', in: 'step', kind: 'tool', toolName: 'search', ...given }) as const
  const step = { id: 'step', in: 'outer' }
  t.deepEqual(counted(outer, step, inner({})), ['outer'])
  t.deepEqual(counted(outer, step, inner({ toolName: null })), ['outer'])
  t.deepEqual(counted(outer, step, inner({ toolName: 'other' })), ['outer', 'inner'])
  t.deepEqual(counted(outer, step, inner({ toolCallId: 'c2' })), ['outer', 'inner'])
  for (const kind of ['agent', 'llm'] as const) {
    t.true(counted(outer, { ...step, kind }, inner({})).includes('inner'))
  }
  t.deepEqual(counted(inner({})), ['inner'])
})

test('reasoning that only the framework around tells belongs to the call', (t) => {
  const call = { kind: 'llm', hasUsage: true, outputTokens: 100 } as const
  const reasoningOf = (outputTokens: number) =>
    over(
      { id: 'outer', scopeName: 'x', ...call, outputTokens, reasoningTokens: 64 },
      { id: 'inner', in: 'outer', scopeName: 'y', ...call },
    )[1]?.reasoningTokens
  t.is(reasoningOf(100), 64)
  t.is(reasoningOf(300), null, 'of several calls')
})

test('reasoning that another report of a call tells belongs to the one around it that counts for its detail', (t) => {
  const call = { kind: 'llm', hasUsage: true, model: 'm', inputTokens: 1_000 } as const
  const reasoningOf = (inner: Partial<Given>, ...others: Given[]) =>
    over(
      { id: 'outer', scopeName: 'x', ...call, cacheTokens: 900, usageDetail: 2, outputTokens: 101 },
      { id: 'inner', in: 'outer', scopeName: 'y', ...call, outputTokens: 100, ...inner },
      ...others,
    ).map(({ reasoningTokens }) => reasoningTokens)
  t.deepEqual(reasoningOf({ reasoningTokens: 64 }), [64, 64])
  t.deepEqual(reasoningOf({ reasoningTokens: 64, outputTokens: 101 }), [64, 64])
  const beside = { id: 'beside', scopeName: 'z', ...call, outputTokens: 100, reasoningTokens: 48 } as const
  t.deepEqual(reasoningOf({}, beside), [48, null, 48])
  t.deepEqual(reasoningOf({ in: 'beside' }, { ...beside, in: 'outer' }), [48, null, 48])
})

test('a tool span with an id inside one of the same tool and another instrumentation without it is the same call', (t) => {
  const tool = { kind: 'tool', toolName: 'search' } as const
  const outer = { id: 'outer', scopeName: 'x', ...tool }
  const inner = { id: 'inner', in: 'outer', scopeName: 'y', toolCallId: 'c1', ...tool }
  t.deepEqual(counted(outer, inner), ['outer'])
  t.deepEqual(counted(outer, { ...inner, scopeName: 'x' }), ['outer', 'inner'], 'one instrumentation')
  t.deepEqual(counted(outer, { ...inner, toolName: 'fetch' }), ['outer', 'inner'])
  t.deepEqual(counted(outer, { id: 'agent', in: 'outer', kind: 'agent' }, { ...inner, in: 'agent' }), [
    'outer',
    'inner',
  ])
})

test('a tool that its host and the client of the protocol report is one call, whatever the host puts before its name', (t) => {
  const tool = (id: string, toolName: string, scopeName: string, more: Partial<Given> = {}): Given =>
    ({ id, in: 'turn', kind: 'tool', toolName, at: 1_000, endTimeUs: 90_000, scopeName, ...more }) as const
  const turn: Given = { id: 'turn' }
  const client = (more: Partial<Given> = {}) => tool('client', 'get_weather', 'mcp-python-sdk', { at: 2_000, ...more })
  const host = (toolName: string) => tool('host', toolName, 'x', { toolCallId: 'c1' })
  for (const name of ['mcp__w__get_weather', 'w_get_weather', 'w-get_weather', 'get_weather']) {
    t.deepEqual(counted(turn, host(name), client()), ['host'], `${name} beside it`)
    t.deepEqual(counted(turn, host(name), client({ in: 'host' })), ['host'], `${name} around it`)
  }
  t.deepEqual(counted(turn, host('forget_weather'), client()), ['host', 'client'], 'another word')
  t.deepEqual(counted(turn, host('weather'), client()), ['host', 'client'], 'less than the name')
  t.deepEqual(counted(turn, host('w_get_weather'), client({ scopeName: 'y' })), ['host', 'client'], 'no protocol')
  const second = tool('second', 'v_get_weather', 'x', { at: 95_000, endTimeUs: 99_000 })
  t.deepEqual(counted(turn, host('w_get_weather'), second, client()), ['host', 'second', 'client'], 'of which server?')
})

test('a call that a server of the protocol hands on to a mounted server, which has no prefix for the tool, is one', (t) => {
  const tool = (id: string, toolName: string, parent: string): Given =>
    ({ id, in: parent, kind: 'tool', toolName, scopeName: 'fastmcp' }) as const
  const mounted = [
    tool('client', 'child_get', 'turn'),
    tool('server', 'child_get', 'client'),
    { id: 'delegate', in: 'server' },
    tool('mounted', 'get', 'delegate'),
  ]
  t.deepEqual(counted({ id: 'turn' }, ...mounted), ['client'])
  const host: Given = { id: 'host', in: 'turn', kind: 'tool', toolName: 'mcp__child_get', scopeName: 'x' }
  t.deepEqual(counted({ id: 'turn' }, host, { ...mounted[0]!, in: 'host' }, ...mounted.slice(1)), ['host'])
  t.deepEqual(counted({ id: 'turn' }, ...mounted, tool('other', 'forget', 'delegate')), ['client', 'other'])
  t.deepEqual(counted({ id: 'turn' }, tool('outer', 'get', 'turn'), tool('inner', 'child_get', 'outer')), [
    'outer',
    'inner',
  ])
  t.deepEqual(counted({ id: 'turn' }, tool('a', 'child_get', 'turn'), tool('b', 'get', 'turn')), ['a', 'b'])
})

test('of a call of a tool that our SDK and a framework report, the span of the SDK counts', (t) => {
  const tool = { kind: 'tool', toolName: 'search' } as const
  const outer = { id: 'outer', scopeName: 'framework', ...tool }
  const inner = { id: 'inner', in: 'outer', scopeName: 'sdk', ...tool }
  const told = { sdkMark: 'attested', toolCallId: 'c1' } as const
  t.deepEqual(counted(outer, { ...inner, sdkMark: 'matched' }), ['inner'])
  t.deepEqual(counted({ ...outer, toolCallId: 'c1' }, { ...inner, sdkMark: 'matched' }), ['inner'], 'without its id')
  t.deepEqual(
    counted({ ...outer, toolCallId: 'c1' }, { ...inner, sdkMark: 'attested' }),
    ['outer'],
    'the id is worth more',
  )
  t.deepEqual(counted({ ...outer, toolCallId: 'c1' }, { ...inner, ...told }), ['inner'], 'with its id')
  t.deepEqual(counted(outer, { ...inner, ...told }), ['inner'], 'with its id alone')
  const between = { ...inner, id: 'between', scopeName: 'protocol' }
  t.deepEqual(counted(outer, between, { ...inner, in: 'between', ...told }), ['inner'], 'of three')
  t.deepEqual(counted(outer, { ...inner, ...told }, { ...inner, id: 'again', ...told, toolCallId: 'c2', at: 5 }), [
    'inner',
  ])
  const known = { ...outer, toolCallId: 'c1' }
  const matched = { ...inner, sdkMark: 'matched' } as const
  for (const more of [{}, { in: 'outer', at: 1 }, { at: 1 }]) {
    const other = { ...known, id: 'other', scopeName: 'another', ...more }
    t.deepEqual(counted(known, other, matched), ['inner'], 'two frameworks that know the id')
    t.deepEqual(counted(known, other, { ...matched, in: 'other' }), ['inner'])
    t.is(counted(known, other, { ...inner, sdkMark: 'attested' }).length, 1)
  }
  const beside = { ...outer, id: 'beside', scopeName: 'other', endTimeUs: 9_000 }
  t.deepEqual(counted({ ...beside, id: 'a' }, { ...inner, ...beside, scopeName: 'sdk', sdkMark: 'matched' }), [
    'beside',
  ])
  t.deepEqual(
    failures(
      { ...outer, isError: true },
      { id: 'step', in: 'outer' },
      { ...inner, in: 'step', ...told, isError: true },
    ),
    ['inner'],
  )
})

test('a tool that two instrumentations report side by side is one call, and one failure', (t) => {
  const tool = (id: string, scopeName: string, more: Partial<Given> = {}): Given =>
    ({ id, in: 'turn', kind: 'tool', toolName: 'search', at: 1_000, endTimeUs: 90_000, scopeName, ...more }) as const
  const turn = { id: 'turn', endTimeUs: 200_000 }
  t.deepEqual(counted(turn, tool('a', 'x'), tool('b', 'y', { at: 2_000, endTimeUs: 89_000 })), ['a'])
  t.deepEqual(counted(turn, tool('a', 'x'), tool('b', 'y', { toolCallId: 'c1' })), ['b'], 'with its id')
  t.deepEqual(counted(turn, tool('a', 'x', { toolCallId: 'c0' }), tool('b', 'y', { toolCallId: 'c1' })), ['a', 'b'])
  t.deepEqual(counted(turn, tool('a', 'x'), tool('b', 'x')), ['a', 'b'], 'one instrumentation')
  t.deepEqual(counted(turn, tool('a', 'x'), tool('b', 'y', { toolName: 'fetch' })), ['a', 'b'])
  const versions = [tool('a', 'x', { toolName: 'search-v1' }), tool('b', 'y', { toolName: 'search-v2' })]
  t.deepEqual(counted(turn, ...versions), ['a', 'b'], 'tools of two versions')
  t.deepEqual(counted(turn, tool('a', 'x'), tool('b', 'y', { at: 95_000, endTimeUs: 190_000 })), ['a', 'b'], 'later')
  const agent = { id: 'agent', in: 'a', kind: 'agent', at: 1_000, endTimeUs: 90_000 } as const
  t.deepEqual(counted(turn, tool('a', 'x'), agent, tool('b', 'y', { in: 'agent' })), ['a', 'b'], 'an agent as a tool')
  t.deepEqual(failures(turn, tool('a', 'x', { isError: true }), tool('b', 'y', { isError: true })), ['a'])
  const failed = { toolCallId: 'c1', isError: true }
  t.deepEqual(failures(turn, tool('a', 'x', failed), tool('b', 'y', failed)), ['a'], 'by its id')
  t.deepEqual(failures(turn, tool('a', 'x', failed), tool('b', 'y', failed), tool('c', 'z', failed)), ['a'])
  t.deepEqual(
    failures(turn, tool('a', 'x', failed), tool('b', 'x', { ...failed, at: 95_000 }), tool('c', 'z', failed)),
    ['a', 'b'],
  )
})

/** Returns the failed spans whose failures count. */
const failures = (...given: Given[]): string[] =>
  over(...given).flatMap(({ errorCarried }, index) => {
    const { id, isError = false } = given[index] as Given
    return isError && !errorCarried ? [id] : []
  })

test('a failed call is one failure, from the HTTP request below it to the root', (t) => {
  const failed = { isError: true }
  const trace: Given[] = [
    { id: 'agent', kind: 'agent', ...failed },
    { id: 'step', in: 'agent', kind: 'chain', ...failed },
    { id: 'wrapper', in: 'step', kind: 'llm', ...failed },
    { id: 'call', in: 'wrapper', kind: 'llm', ...failed },
    { id: 'request', in: 'call', ...failed },
  ]
  t.deepEqual(failures(...trace), ['call'])
  t.deepEqual(failures(...trace, { id: 'tool', in: 'agent', kind: 'tool', toolName: 'x', ...failed }), ['call', 'tool'])
  t.deepEqual(failures(...trace.slice(0, 2)), ['step'], 'without a call, the innermost')
})

test('a failure that was caught is one of its own, and so is a failure after a call that succeeded', (t) => {
  const failed = { isError: true }
  t.deepEqual(
    failures(
      { id: 'agent', kind: 'agent', ...failed },
      { id: 'call', in: 'agent', kind: 'llm' },
      { id: 'request', in: 'call', ...failed },
    ),
    ['agent', 'request'],
  )
  const call = { kind: 'llm', responseId: 'r', inputTokens: 1, hasUsage: true, endTimeUs: 5 } as const
  t.deepEqual(
    failures({ id: 'a', ...call, scopeName: 's1', ...failed }, { id: 'b', ...call, scopeName: 's2', usageDetail: 1 }),
    ['a'],
  )
  t.deepEqual(
    failures(
      { id: 'a', ...call, scopeName: 's1', ...failed },
      { id: 'b', ...call, scopeName: 's2', usageDetail: 1, ...failed },
    ),
    ['b'],
    'told twice',
  )
})

test('a failure reaches the agent through a step that does not report it, if the failed call is the last one in the agent', (t) => {
  const failed = { isError: true }
  const run = { id: 'run', kind: 'agent', ...failed } as const
  const turn = { id: 'turn', in: 'run', kind: 'agent' } as const
  const call = { id: 'call', in: 'turn', kind: 'llm', endTimeUs: 5, ...failed } as const
  t.deepEqual(failures(run, turn, call), ['call'])
  t.deepEqual(failures(run, turn, { ...call, kind: 'tool' }), ['call'])
  t.deepEqual(failures(run, turn, call, { id: 'retry', in: 'turn', kind: 'llm', at: 6, endTimeUs: 9 }), ['run', 'call'])
  t.deepEqual(failures(run, { ...turn, kind: 'tool', endTimeUs: 6 }, call), ['run', 'call'])
})

test('cycles, missing parents and ids given twice do no harm', (t) => {
  t.is(over({ id: 'a', in: 'a', agentOwn: 'A' })[0]?.agentName, 'A')
  const cycle = over(
    { id: 'a', in: 'c', at: 2, agentOwn: 'A' },
    { id: 'b', in: 'a', at: 3 },
    { id: 'c', in: 'b', at: 1 },
  )
  t.deepEqual(
    cycle.map((one) => one.agentName),
    ['A', 'A', 'svc'],
  )
  const twice = over(
    { id: 'p', at: 2, agentOwn: 'late' },
    { id: 'p', at: 1, agentOwn: 'early' },
    { id: 'c', in: 'p', at: 3 },
  )
  t.is(twice[2]?.agentName, 'early')
  t.deepEqual(
    twice.map(({ idRepeated }) => idRepeated),
    [true, true, false],
  )
  t.deepEqual(resolve([]), [])
})

test('tens of thousands of spans, in one chain or under one parent, are resolved in linear time', (t) => {
  // Deeper than the stack of a recursion.
  const count = inSoak(32_000, 128_000)
  const shape = (parentOf: (index: number) => number): ResolveInput[] =>
    Array.from({ length: count }, (_, index) =>
      makeInput({
        id: String(index),
        ...(index === 0 ? { agentOwn: 'A' } : { in: String(parentOf(index)) }),
        at: index,
        kind: index % 2 === 0 ? 'llm' : 'tool',
        hasUsage: true,
        toolCallId: 'same',
      }),
    )
  for (const [isChain, spans] of [
    [true, shape((index) => index - 1)],
    [false, shape(() => 0)],
    [false, shape((index) => (index + 1) % count).toReversed()],
  ] as const) {
    let all: readonly Resolved[] = []
    const work = (size: number): void => {
      const resolved = resolve(spans.slice(0, size))
      if (size === count) all = resolved
    }
    t.is(findGrowthFault(work, count), null)
    t.is(all.length, count)
    if (isChain) t.is(all.at(-1)?.agentName, 'A')
  }
})

test('thousands of calls at once, each of its own scope, are compared in linear time', (t) => {
  const shape = (more: (index: number) => Partial<ResolveInput>): ResolveInput[] =>
    Array.from({ length: inSoak(3_200, 9_600) }, (_, index) => ({
      ...makeInput({ id: String(index), endTimeUs: 900_000, hasUsage: true }),
      scopeName: `scope ${index}`,
      ...more(index),
    }))
  const one = { kind: 'llm', responseId: 'msg_1', inputTokens: 10 } as const
  const shapes = {
    'one response id': shape(() => one),
    'one response id, 64 scopes': shape((index) => ({ ...one, scopeName: `scope ${index % 64}` })),
    'no response id': shape(() => ({ kind: 'llm', model: 'm', inputTokens: 10 })),
    'one tool, without ids': shape(() => ({ kind: 'tool', toolName: 'search' })),
  }
  for (const [name, spans] of Object.entries(shapes)) {
    t.is(
      findGrowthFault((size) => resolve(spans.slice(0, size)), spans.length),
      null,
      name,
    )
  }
  // Of each eight that are taken as reports of one call, one counts.
  const some = resolve(shapes['one response id'].slice(0, 1_600))
  t.is(some.filter(({ counted }) => counted).length, 200)
})

test('names of models that all differ are compared as fast as names that repeat', (t) => {
  const long = 'x'.repeat(250)
  const shape = (requested: (index: number) => number): ResolveInput[] =>
    Array.from({ length: 3_200 }, (_, index) => ({
      ...makeInput({ id: String(index), endTimeUs: 900_000, hasUsage: true, kind: 'llm' }),
      scopeName: `scope ${index}`,
      model: `${long}${index % 32}`,
      requestModel: `${long}${requested(index)}`,
    }))
  const [all, few] = [shape((index) => index), shape((index) => index % 32)]
  const fewMs = leastCpuMs(() => resolve(few))
  // Copies: what is remembered of a span counts only within one run.
  const allMs = leastCpuMs(() => resolve(all.map((one) => ({ ...one }))), 4 * fewMs)
  t.true(allMs < 4 * fewMs, `${allMs} ms for different names, ${fewMs} ms for names that repeat`)
})

const anyKind = fc.constantFrom<Kind>('llm', 'embedding', 'tool', 'agent', 'chain', 'other')
const maybe = <Value extends string | number>(...names: Value[]) => fc.option(fc.constantFrom(...names), { nil: null })
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
const anyTrace = fc.uniqueArray(
  fc.record({
    spanId: fc.constantFrom(...ids),
    parentSpanId: maybe(...ids, 'missing'),
    startTimeUs: fc.integer({ min: 0, max: 3 }),
    endTimeUs: fc.integer({ min: 0, max: 6 }),
    scopeName: maybe('s1', 's2', 's3'),
    model: maybe('m1', 'm2'),
    requestModel: maybe('m1', 'm3'),
    responseId: maybe('r1', 'r2'),
    inputTokens: maybe(0, 10, 11, 90),
    outputTokens: maybe(5, 50),
    reasoningTokens: maybe(0, 4, 40),
    isError: fc.boolean(),
    cacheTokens: fc.constantFrom(0, 10),
    usageDetail: fc.nat(4),
    kind: anyKind,
    agentOwn: maybe('A', 'B'),
    agentFallback: fc.constantFrom('f1', 'f2'),
    sessionOwn: maybe('s1', 's2'),
    userOwn: maybe('u1', 'u2'),
    toolName: maybe('x', 'y'),
    toolCallId: maybe('c1', 'c2'),
    sdkMark: maybe('matched', 'attested'),
    hasUsage: fc.boolean(),
  }),
  { selector: (one) => `${one.spanId} ${one.startTimeUs}`, maxLength: 20 },
)

test('the order of the spans changes nothing', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        anyTrace.chain((spans) =>
          fc.tuple(fc.constant(spans), fc.shuffledSubarray([...spans.keys()], { minLength: spans.length })),
        ),
        ([spans, order]) => {
          const straight = resolve(spans)
          const shuffled = resolve(order.map((index) => spans[index]).filter((one) => one !== undefined))
          for (const [at, index] of order.entries()) {
            const { callAt = -1, ...rest } = shuffled[at] ?? {}
            t.deepEqual({ ...rest, callAt: order[callAt] ?? -1 }, straight[index])
          }
        },
      ),
      { numRuns: inSoak(300, 800), seed },
    ),
  )
})

test('ancestors that arrive later change provisional agents and no others', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(anyTrace, (spans) => {
        const here = new Set<string | null>([null, ...spans.map(({ spanId }) => spanId)])
        const missing = new Set(spans.map(({ parentSpanId }) => parentSpanId).filter((id) => !here.has(id)))
        const ancestors = [...missing].map((id) => makeInput({ id: id ?? '', agentOwn: 'later' }))
        const after = resolve([...spans, ...ancestors])
        for (const [at, { agentName, agentProvisional }] of resolve(spans).entries()) {
          // A cycle has no root.
          if (agentProvisional) t.true(after[at]?.agentName === 'later' || after[at]?.agentProvisional)
          else t.is(after[at]?.agentName, agentName)
        }
      }),
      { numRuns: inSoak(300, 800), seed },
    ),
  )
})

test('if a span failed, at least one failure counts, and a failed call that counts is always a failure', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(anyTrace, (spans) => {
        const counts = resolve(spans).map(({ errorCarried }, at) => spans[at]?.isError === true && !errorCarried)
        t.is(
          counts.includes(true),
          spans.some(({ isError }) => isError),
        )
        for (const [at, { counted, errorCarried }] of resolve(spans).entries())
          if (counted || spans[at]?.isError === false) t.false(errorCarried)
      }),
      { numRuns: inSoak(300, 800), seed },
    ),
  )
})

test('whatever the nesting, one call with usage on each path counts, and only one of each tool call', (t) => {
  const within = (spans: readonly ResolveInput[], index: number): number[] => {
    const path: number[] = []
    for (let at = index; ; ) {
      const parentId = spans[at]?.parentSpanId
      const parent = spans.findIndex((one) => one.spanId === parentId)
      const above = spans[parent]
      if (above === undefined || above.kind === 'tool' || above.kind === 'agent') return path
      path.push(parent)
      at = parent
    }
  }
  const tree = fc.array(
    fc.record({ kind: anyKind, hasUsage: fc.boolean(), parent: fc.nat(), call: maybe('c1', 'c2') }),
    {
      maxLength: 15,
    },
  )
  t.notThrows(() =>
    fc.assert(
      fc.property(tree, (nodes) => {
        const spans = nodes.map(({ kind, hasUsage, parent, call }, index) =>
          makeInput({
            id: `s${index}`,
            ...(index === 0 ? {} : { in: `s${parent % index}` }),
            kind,
            hasUsage,
            toolCallId: call,
          }),
        )
        const resolved = resolve(spans)
        for (const [index, one] of spans.entries()) {
          if (resolved[index]?.counted !== true || (one.kind !== 'llm' && one.kind !== 'embedding')) continue
          for (const above of within(spans, index)) {
            t.false(
              resolved[above]?.counted === true &&
                spans[above]?.kind === one.kind &&
                spans[above].hasUsage === one.hasUsage,
            )
          }
        }
        for (const call of ['c1', 'c2']) {
          const told = spans.flatMap((one, index) => (one.kind === 'tool' && one.toolCallId === call ? [index] : []))
          t.is(told.filter((index) => resolved[index]?.counted).length, Math.min(told.length, 1))
        }
      }),
      { numRuns: inSoak(200, 500), seed },
    ),
  )
})
