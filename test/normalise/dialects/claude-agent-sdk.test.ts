import test from 'ava'
import { toResolveInput } from '../../../src/decode/resolve-input.ts'
import type { Span } from '../../../src/event/span.ts'
import { normalise } from '../../../src/normalise/normalise.ts'
import { resolve } from '../../../src/resolve/resolve.ts'
import { counts, makeSpan, read, type SpanGiven } from '../_span.ts'
import { listCounted } from '../_trace.ts'

const python = 'opentelemetry.instrumentation.genai.claude_agent_sdk'
const agent = {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'Claude',
  'gen_ai.request.model': 'claude-sonnet-4-5',
}
const usage = {
  'gen_ai.usage.input_tokens': 5_000,
  'gen_ai.usage.output_tokens': 100,
  'gen_ai.usage.cache_read.input_tokens': 2_000,
  'gen_ai.usage.cache_creation.input_tokens': 500,
}
const turn = (scope: string, attributes: SpanGiven['attributes'] = {}) =>
  read({ name: 'invoke_agent Claude', scope, attributes: { ...agent, ...attributes } })

test('the usage of a turn of the Claude Agent SDK, which only the span of the agent reports, makes it a model call', (t) => {
  for (const scope of [python, `${python}.patch`, '@opentelemetry/instrumentation-claude-agent-sdk']) {
    const event = turn(scope, usage)
    t.deepEqual([event.kind, event.model, event.agentOwn], ['llm', 'claude-sonnet-4-5', 'Claude'], scope)
    t.deepEqual(counts(event.usage), [7_500, 100, 2_000, 500, null], scope)
  }
  t.deepEqual(
    counts(turn('opentelemetry.instrumentation.claude_agent_sdk', usage).usage),
    [5_000, 100, 2_000, 500, null],
    'this one adds the cache itself',
  )
  t.is(turn(python).kind, 'agent', 'without usage')
  t.is(turn('another.framework', usage).kind, 'agent', 'others repeat the usage of the calls inside')
})

test("the calls that Claude Code's own spans report inside a turn count in place of the turn", (t) => {
  const place = (span: Span, spanId: string, parentSpanId: string | null) => {
    const event = normalise({ ...span, spanId, parentSpanId })
    return toResolveInput({ event, startUs: 0, priced: { costUsd: null, cacheSavingsUsd: null, source: null } })
  }
  const call = (inputTokens: number) =>
    makeSpan({
      name: 'claude_code.llm_request',
      scope: 'com.anthropic.claude_code.tracing',
      attributes: { model: 'claude-sonnet-4-5', input_tokens: inputTokens, output_tokens: 50 },
    })
  const spans = [
    place(makeSpan({ scope: python, attributes: { ...agent, ...usage } }), 'turn', null),
    place(makeSpan({ name: 'claude_code.interaction' }), 'interaction', 'turn'),
    place(call(3_000), 'first', 'interaction'),
    place(call(4_500), 'second', 'interaction'),
  ]
  const counted = (given: typeof spans) =>
    resolve(given).flatMap((resolved, at) => (resolved.counted ? [given[at]?.spanId] : []))
  t.deepEqual(counted(spans), ['first', 'second'])
  t.deepEqual(counted(spans.slice(0, 2)), ['turn'])
})

test("Claude Code's own spans count also where they are beside the turn, as with a client that stays open", (t) => {
  const call = (id: string, from: number) => ({
    id,
    in: 'interaction',
    name: 'claude_code.llm_request',
    scope: 'com.anthropic.claude_code.tracing',
    at: [from, from + 900] as const,
    attributes: { model: 'claude-sonnet-4-5', input_tokens: 10_000, output_tokens: 1_000, 'session.id': 's-1' },
  })
  const counted = listCounted(
    { id: 'app', at: [0, 5_000] },
    { id: 'interaction', in: 'app', name: 'claude_code.interaction', at: [10, 4_000] },
    call('first', 20),
    call('second', 1_000),
    call('third', 2_000),
    {
      id: 'turn',
      in: 'app',
      name: 'ClaudeAgentSDK.ClaudeSDKClient.receive_response',
      scope: 'openinference.instrumentation.claude_agent_sdk',
      at: [30, 4_100],
      attributes: {
        'openinference.span.kind': 'AGENT',
        'llm.token_count.prompt': 30_000,
        'llm.token_count.completion': 3_000,
        'session.id': 's-1',
      },
    },
  )
  t.deepEqual(counted, ['llm first 10000/1000', 'llm second 10000/1000', 'llm third 10000/1000'])
})
