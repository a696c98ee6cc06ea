import test from 'ava'
import { counts, type Plain, read } from '../_span.ts'

type Told = { readonly [key: string]: Plain }

const scope = 'llamaindex.opentelemetry.tracer'

const asked: Told = {
  messages: '[{"role":"user","blocks":[{"block_type":"text","text":"Weather in Paris?"}]}]',
  'model_dict.model_name': 'gpt-4o-mini',
}

const answered: Told = {
  'response.message.role': 'assistant',
  'response.message.blocks': '[{"block_type":"text","text":"I ask."}]',
  'response.message.additional_kwargs.tool_calls':
    '[{"id":"call_0","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Paris\\"}"}}]',
  'response.raw.id': 'chatcmpl-0',
  'response.raw.model': 'gpt-4o-mini-2024-07-18',
  'response.raw.usage.prompt_tokens': 2_000,
  'response.raw.usage.completion_tokens': 100,
  'response.raw.usage.prompt_tokens_details.cached_tokens': 1_024,
  'response.raw.usage.prompt_tokens_details.cache_write_tokens': 'null',
  'response.raw.usage.completion_tokens_details.reasoning_tokens': 64,
}

const chat = (answer: Told | null) =>
  read({
    name: 'OpenAI.achat',
    scope,
    events: [
      { name: 'LLMChatStartEvent', attributes: asked },
      ...(answer === null ? [] : [{ name: 'LLMChatEndEvent', attributes: answer }]),
    ],
  })

test('a model call is read from the events of its span', (t) => {
  const event = chat(answered)
  t.is(event.dialect, 'llama-index')
  t.is(event.kind, 'llm')
  t.is(event.model, 'gpt-4o-mini-2024-07-18')
  t.is(event.responseId, 'chatcmpl-0')
  t.deepEqual(counts(event.usage), [2_000, 100, 1_024, null, 64])
  t.deepEqual(event.toolRequests, [{ id: 'call_0', name: 'get_weather' }])
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] }])
  t.is(event.content.outputMessages?.[0]?.parts.length, 2)
  t.deepEqual([...event.flags], [])
})

test('a call without an answer, such as a stream, has the model that was asked', (t) => {
  const event = chat(null)
  t.is(event.kind, 'llm')
  t.is(event.model, 'gpt-4o-mini')
  t.is(event.usage.inputTokens, null)
})

test("counts of Anthropic's answer do not include the cache", (t) => {
  const usage = {
    input_tokens: 300,
    output_tokens: 120,
    cache_read_input_tokens: 2_000,
    cache_creation_input_tokens: 700,
  }
  const prefix = 'response.raw.usage.'
  const answer = Object.fromEntries(Object.entries(usage).map(([member, count]) => [`${prefix}${member}`, count]))
  t.deepEqual(counts(chat(answer).usage), [3_000, 120, 2_000, 700, null])
})

test('of the spans of a workflow, only the step that calls a tool is a call of a tool', (t) => {
  const attributes = {
    'llamaindex.step.input_event': 'ToolCall',
    'llamaindex.step.input_summary':
      "ToolCall(tool_name='get_weather', tool_kwargs={'city': 'Paris'}, tool_id='call_0')",
  }
  const step = read({ name: 'BaseWorkflowAgent.call_tool', scope, attributes })
  t.is(step.kind, 'tool')
  t.is(step.toolName, 'get_weather')
  t.is(read({ name: 'FunctionTool.acall', scope, attributes }).kind, 'chain')
  t.is(read({ name: 'FunctionAgent.run', scope }).kind, 'chain')
})
