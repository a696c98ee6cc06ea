import test from 'ava'
import { counts, type Plain, read } from '../_span.ts'

const scope = 'monocle_apptrace'

type Given = {
  readonly attributes?: Readonly<Record<string, string>>
  readonly usage?: { readonly [key: string]: Plain }
}

const inference = ({ attributes = {}, usage = {} }: Given = {}) =>
  read({
    name: 'openai.resources.chat.completions.completions.Completions.create',
    scope,
    attributes: {
      'span.type': 'inference',
      'workflow.name': 'my-app',
      'entity.1.type': 'inference.openai',
      'entity.2.type': 'model.llm.gpt-4o-mini',
      'entity.2.name': 'gpt-4o-mini',
      ...attributes,
    },
    events: [
      { name: 'data.input', attributes: { input: ['{"system": "Be brief."}', '{"user": "Weather in Paris?"}'] } },
      {
        name: 'data.output',
        attributes: {
          response:
            '{"assistant": [{"tool_id": "call_0", "tool_name": "get_weather", "tool_arguments": "{\\"city\\":\\"Paris\\"}"}]}',
        },
      },
      { name: 'metadata', attributes: { finish_reason: 'tool_calls', ...usage } },
    ],
  })

test('a model call is read from its entities and events', (t) => {
  const usage = { prompt_tokens: 2_000, completion_tokens: 100, total_tokens: 2_100, cache_read_input_tokens: 1_024 }
  const event = inference({ usage })
  t.is(event.dialect, 'monocle')
  t.is(event.kind, 'llm')
  t.is(event.provider, 'openai')
  t.is(event.model, 'gpt-4o-mini')
  t.is(event.agentOwn, null)
  t.deepEqual(counts(event.usage), [2_000, 100, 1_024, null, null])
  t.deepEqual(event.finishReasons, ['tool_calls'])
  t.deepEqual(event.toolRequests, [{ id: 'call_0', name: 'get_weather' }])
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] },
  ])
})

test("the counts are the provider's own: the input of Anthropic and Bedrock does not include the cache", (t) => {
  const usage = { prompt_tokens: 5_000, completion_tokens: 120, total_tokens: 5_120, cache_read_input_tokens: 400 }
  const inputOf = (type: string) => inference({ attributes: { 'entity.1.type': type }, usage }).usage.inputTokens
  t.is(inputOf('inference.anthropic'), 5_400)
  t.is(inputOf('inference.aws_bedrock'), 5_400)
  t.is(inputOf('inference.openai'), 5_000)
})

const step = (type: string, attributes: Readonly<Record<string, string>> = {}) =>
  read({
    name: 'step',
    scope,
    attributes: { 'span.type': type, ...attributes },
    events: [
      { name: 'data.input', attributes: { input: '{"city":"Paris"}' } },
      { name: 'data.output', attributes: { response: 'sunny' } },
    ],
  })

test('agents and tools have the names of their entities', (t) => {
  const agent = step('agentic.invocation', { 'entity.1.type': 'agent.langgraph', 'entity.1.name': 'researcher' })
  t.is(agent.kind, 'agent')
  t.is(agent.agentOwn, 'researcher')
  const tool = step('agentic.tool.invocation', {
    'entity.1.type': 'tool.langgraph',
    'entity.1.name': 'get_weather',
    'entity.2.type': 'agent.langgraph',
    'entity.2.name': 'researcher',
  })
  t.is(tool.kind, 'tool')
  t.is(tool.toolName, 'get_weather')
  t.is(tool.content.toolResult, 'sunny')
  t.deepEqual(tool.content.toolArguments, { city: 'Paris' })
  t.is(step('agentic.turn').kind, 'chain')
  t.is(step('workflow').kind, 'chain')
  t.is(step('inference.modelapi').kind, 'chain')
})

test('the types mean this on spans of Monocle alone', (t) => {
  t.is(read({ name: 'a span', attributes: { 'span.type': 'inference' } }).kind, 'other')
})
