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
