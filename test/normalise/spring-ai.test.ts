import test from 'ava'
import { counts, json, read } from './_span.ts'

const scope = 'org.springframework.boot'

test("Spring AI passes on Anthropic's own input, which leaves the cache out", (t) => {
  const usageOf = (system: string, scopeName = scope) =>
    counts(
      read({
        scope: scopeName,
        name: 'chat claude-sonnet-4-5',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.system': system,
          'gen_ai.request.model': 'claude-sonnet-4-5',
          'gen_ai.usage.input_tokens': '5011',
          'gen_ai.usage.output_tokens': '131',
          'gen_ai.usage.total_tokens': '5142',
          'gen_ai.usage.cache_read.input_tokens': '400',
          'gen_ai.usage.cache_creation.input_tokens': '300',
        },
      }).usage,
    )
  t.deepEqual(usageOf('anthropic'), [5_711, 131, 400, 300, null])
  t.deepEqual(usageOf('openai'), [5_011, 131, 400, 300, null])
  t.deepEqual(usageOf('anthropic', 'com.example'), [5_011, 131, 400, 300, null])
})

test('Spring AI: a call of a tool, in release 1 and 2', (t) => {
  const callIn = (name: string, operation: string) =>
    read({
      scope,
      name,
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.system': 'spring_ai',
        'spring.ai.kind': 'tool_call',
        'spring.ai.tool.definition.name': 'get_weather',
        'spring.ai.tool.call.id': 'call-1',
        'spring.ai.tool.call.arguments': '{"city": "Paris"}',
        'spring.ai.tool.call.result': '"Sunny"',
      },
    })
  const [old, current] = [
    callIn('tool_call get_weather', 'framework'),
    callIn('execute_tool get_weather', 'execute_tool'),
  ]
  for (const call of [old, current]) {
    t.deepEqual([call.kind, call.toolName, call.toolCallId], ['tool', 'get_weather', 'call-1'])
    t.deepEqual([call.content.toolArguments, call.content.toolResult], [{ city: 'Paris' }, 'Sunny'])
  }
  t.is(old.inputHash, current.inputHash)
  const bare = { 'gen_ai.operation.name': 'framework', 'spring.ai.kind': 'tool_call' }
  t.is(read({ scope, name: 'tool_call get_weather', attributes: bare }).toolName, 'get_weather')
})

test('Spring AI: the steps of the chat client are chains, of the conversation that the client names', (t) => {
  const client = read({
    scope,
    name: 'spring_ai chat_client',
    attributes: {
      'gen_ai.operation.name': 'framework',
      'spring.ai.kind': 'chat_client',
      'spring.ai.chat.client.advisors': json(['call']),
      'spring.ai.chat.client.conversation.id': 's-1',
    },
  })
  t.deepEqual([client.kind, client.sessionId, client.dialect], ['chain', 's-1', 'spring-ai'])
  const attributes = { 'gen_ai.operation.name': 'framework', 'spring.ai.kind': 'advisor' }
  t.is(read({ scope, name: 'call', attributes }).kind, 'chain')
})

test('Spring AI: a failed call has the model that was asked for, not the word for a missing value', (t) => {
  const modelOf = (response: string, request: string) => {
    const attributes = { 'gen_ai.request.model': request, 'gen_ai.response.model': response }
    return read({ scope, attributes: { 'gen_ai.operation.name': 'chat', ...attributes } }).model
  }
  t.is(modelOf('none', 'gpt-4o-mini'), 'gpt-4o-mini')
  t.is(modelOf('gpt-4o-mini-2024-07-18', 'none'), 'gpt-4o-mini-2024-07-18')
  t.is(modelOf('none', 'unknown'), null)
})

test("Spring AI: an embedding by a model of Google's has only a total", (t) => {
  const usageOf = (operation: string) =>
    counts(
      read({
        scope,
        name: 'embedding text-embedding-005',
        attributes: {
          'gen_ai.operation.name': operation,
          'gen_ai.system': 'vertex_ai',
          'gen_ai.request.model': 'text-embedding-005',
          'gen_ai.usage.input_tokens': '0',
          'gen_ai.usage.total_tokens': '42',
        },
      }).usage,
    )
  t.deepEqual(usageOf('embedding'), [42, null, null, null, null])
  t.deepEqual(usageOf('chat'), [null, null, null, null, null])
})
