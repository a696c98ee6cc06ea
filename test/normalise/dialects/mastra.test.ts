import test from 'ava'
import { type Plain, read } from '../_span.ts'

/** A span of the exporter of autumn 2025. */
const span = (name: string, operation: string, attributes: { readonly [key: string]: Plain } = {}) =>
  read({ name, scope: '@mastra/otel', attributes: { 'gen_ai.operation.name': operation, ...attributes } })

test("an older exporter's operations of tools, agents and workflows", (t) => {
  const tool = span('tool.execute weather', 'tool.execute', {
    'mastra.span.type': 'tool_call',
    'gen_ai.tool.name': 'weather',
    'gen_ai.tool.input': '{"city":"Paris"}',
    'gen_ai.tool.output': '{"sky":"clear"}',
  })
  t.deepEqual([tool.kind, tool.toolName], ['tool', 'weather'])
  t.deepEqual([tool.content.toolArguments, tool.content.toolResult], [{ city: 'Paris' }, { sky: 'clear' }])
  t.not(tool.inputHash, null)
  const agent = span('agent.weather-agent', 'agent.run', { 'agent.id': 'weather-agent' })
  t.deepEqual([agent.kind, agent.agentOwn], ['agent', 'weather-agent'])
  t.is(span('workflow.daily', 'workflow.run', { 'workflow.id': 'daily' }).kind, 'chain')
  const call = span('tool_selection gpt-5-mini', 'tool_selection', {
    'gen_ai.request.model': 'gpt-5-mini',
    'gen_ai.usage.input_tokens': 2_000,
  })
  t.deepEqual([call.kind, call.model, call.usage.inputTokens], ['llm', 'gpt-5-mini', 2_000])
  t.is(span('chunk', 'llm.chunk').kind, 'other')
})
