import test from 'ava'
import { contentSideOf } from '../../../src/redact/content-attributes.ts'
import { counts, json, read, type SpanGiven } from '../_span.ts'
import { resolveTrace } from '../_trace.ts'

const scope = 'com.anthropic.sdk.python'
const span = (name: string, attributes: SpanGiven['attributes'] = {}) =>
  read({ name, scope, attributes: { 'gen_ai.provider.name': 'anthropic', ...attributes } })

test('counting tokens and requests about batches are no model calls', (t) => {
  t.is(span('anthropic.messages.count_tokens', { 'gen_ai.request.model': 'claude-sonnet-4-5' }).kind, 'other')
  for (const request of ['create', 'retrieve', 'list', 'results', 'cancel', 'delete'])
    t.is(span(`anthropic.messages.batches.${request}`, { 'anthropic.message.batch.id': 'msgbatch_1' }).kind, 'other')
  for (const name of ['anthropic.messages.create', 'anthropic.messages.stream', 'anthropic.completions.create'])
    t.is(span(name).kind, 'llm', name)
})

test('the tokens of a compaction belong to the call, whose usage does not include them', (t) => {
  const usage = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'claude-sonnet-4-5',
    'gen_ai.usage.input_tokens': 5_000,
    'gen_ai.usage.output_tokens': 200,
  }
  const compaction = {
    'anthropic.usage.compaction.input_tokens': 180_000,
    'anthropic.usage.compaction.output_tokens': 3_500,
  }
  const call = span('anthropic.messages.create', { ...usage, ...compaction })
  t.deepEqual(counts(call.usage), [185_000, 3_700, null, null, null])
  t.true(call.flags.has('usage_adjusted'))
  const plain = span('anthropic.messages.create', usage)
  t.deepEqual(counts(plain.usage), [5_000, 200, null, null, null])
  t.false(plain.flags.has('usage_adjusted'))
})

test('the loop of the tool runner belongs to the agent around it', (t) => {
  const agents = resolveTrace(
    {
      id: 'agent',
      name: 'invoke_agent researcher',
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'researcher' },
    },
    {
      id: 'loop',
      in: 'agent',
      name: 'anthropic.messages.tool_runner',
      scope,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.request.model': 'claude-sonnet-4-5' },
    },
    {
      id: 'call',
      in: 'loop',
      name: 'anthropic.messages.create',
      scope,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'claude-sonnet-4-5' },
    },
  )
  t.deepEqual(
    agents.map(({ agentName }) => agentName),
    ['researcher', 'researcher', 'researcher'],
  )
})

test('the result of a tool is read, and is content', (t) => {
  const blocks = [{ type: 'text', text: '18 degrees' }]
  const tool = span('anthropic.custom_tool_use get_weather', {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'get_weather',
    'gen_ai.tool.call.arguments': '{"city":"Paris"}',
    'anthropic.tool_result.content': json(blocks),
  })
  t.deepEqual([tool.kind, tool.toolName, tool.content.toolResult], ['tool', 'get_weather', blocks])
  t.truthy(tool.contentHash)
  t.is(contentSideOf('anthropic.tool_result.content'), 'out')
})
