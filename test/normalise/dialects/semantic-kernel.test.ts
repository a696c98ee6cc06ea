import test from 'ava'
import { read } from '../_span.ts'

const execution = (toolName: string, callId: string | null, scope = 'semantic_kernel.functions.kernel_function') =>
  read({
    name: `execute_tool ${toolName}`,
    scope,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': toolName,
      ...(callId === null ? {} : { 'gen_ai.tool.call.id': callId }),
    },
  }).kind

test('a function that was made of a prompt, with a made-up name, is no tool', (t) => {
  t.is(execution('WQrszQWyLfOTamGm', null), 'chain')
  const dotNet = 'InvokePromptAsync_37b5f2c18f0e4d51a2b5e1d5a1c3f0aa'
  t.is(execution(dotNet, null, 'Microsoft.SemanticKernel'), 'chain')
})

test('a function that a model asked for, or that has a name, is a tool', (t) => {
  t.is(execution('W-get_weather', 'call_1'), 'tool')
  t.is(execution('getWeatherOfCity', 'call_1'), 'tool')
  t.is(execution('W-get_weather', null), 'tool')
  t.is(execution('WQrszQWyLfOTamGm', null, 'another_scope'), 'tool')
})

test('a completion of text has an operation of its own, also without an answer', (t) => {
  const attributes = {
    'gen_ai.operation.name': 'text_completions',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'gpt-3.5-turbo-instruct',
  }
  const scope = 'semantic_kernel.utils.telemetry.model_diagnostics.decorators'
  const name = 'text_completions gpt-3.5-turbo-instruct'
  const usage = { 'gen_ai.usage.input_tokens': 500, 'gen_ai.usage.output_tokens': 80 }
  const call = read({ name, scope, attributes: { ...attributes, ...usage } })
  t.deepEqual([call.kind, call.model, call.usage.inputTokens], ['llm', 'gpt-3.5-turbo-instruct', 500])
  t.is(read({ name, scope, attributes, statusCode: 2 }).kind, 'llm')
})

test('a made-up name of an agent is no name, neither stated nor in the name of the span', (t) => {
  const python = 'semantic_kernel.utils.telemetry.agent_diagnostics.decorators'
  const agentOf = (name: string, scope: string, isStated: boolean) =>
    read({
      name: `invoke_agent ${name}`,
      scope,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', ...(isStated ? { 'gen_ai.agent.name': name } : {}) },
    }).agentOwn
  for (const isStated of [true, false]) {
    t.is(agentOf('agent_QwErTyUiOpAsDfGh', python, isStated), null)
    t.is(agentOf('UnnamedAgent', 'Microsoft.SemanticKernel.Diagnostics', isStated), null)
    for (const name of ['agent_weather', 'agent_DocumentAnalyzer', 'agent_customerservices', 'agent_GetUserOrderInfo'])
      t.is(agentOf(name, python, isStated), name)
    t.is(agentOf('agent_qWERtyuiopasdfgh', python, isStated), null)
    t.is(agentOf('agent_QwErTyUiOpAsDfGh', 'another_scope', isStated), 'agent_QwErTyUiOpAsDfGh')
  }
})
