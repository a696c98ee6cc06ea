import test from 'ava'
import { normalise } from '../../src/normalise/normalise.ts'
import { counts, json, makeSpan, type Plain, read, type SpanGiven, start } from './_span.ts'

test('OpenInference messages are put together from flattened attributes', (t) => {
  const event = read({
    name: 'ChatOpenAI',
    scope: 'openinference.instrumentation.openai',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'azure',
      'llm.system': 'openai',
      'llm.model_name': 'gpt-4o-mini',
      'llm.token_count.prompt': 100,
      'llm.token_count.completion': 30,
      'llm.token_count.total': 130,
      'llm.token_count.prompt_details.cache_read': 64,
      'llm.token_count.completion_details.reasoning': 10,
      'llm.cost.total': 0.0125,
      'session.id': 's-1',
      'user.id': 'u-1',
      'input.value': '{"messages":[]}',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'What is this?',
      'llm.input_messages.1.message.contents.1.message_content.type': 'image',
      'llm.input_messages.1.message.contents.1.message_content.image.image.url': 'https://img.example/a.png',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 'c0',
      'llm.input_messages.2.message.content': '{"sky":"rain"}',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"x":1}',
      'llm.output_messages.0.message.tool_calls.1.tool_call.function.name': 'stop',
      'output.value': '{}',
    },
  })
  t.is(event.kind, 'llm')
  t.is(event.provider, 'azure.ai.openai')
  t.is(event.model, 'gpt-4o-mini')
  t.deepEqual(counts(event.usage), [100, 30, 64, null, 10])
  t.is(event.providedCostUsd, 0.0125)
  t.true(event.flags.has('cost_provided'))
  t.is(event.sessionId, 's-1')
  t.deepEqual(event.content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url: 'https://img.example/a.png' },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c0', result: { sky: 'rain' } }] },
  ])
  t.deepEqual(event.content.outputMessages, [
    {
      role: 'assistant',
      parts: [
        { type: 'tool_call', id: 'c1', name: 'look', arguments: { x: 1 } },
        { type: 'tool_call', id: null, name: 'stop', arguments: null },
      ],
    },
  ])
})

test('OpenInference kinds win over the operation name', (t) => {
  const kindOf = (kind: string) =>
    read({ attributes: { 'openinference.span.kind': kind, 'gen_ai.operation.name': 'chat' } }).kind
  t.is(kindOf('CHAIN'), 'chain')
  t.is(kindOf('RERANKER'), 'reranker')
  t.is(kindOf('GUARDRAIL'), 'guardrail')
  t.is(kindOf('EVALUATOR'), 'evaluator')
  t.is(kindOf('RETRIEVER'), 'retriever')
  t.is(kindOf('EMBEDDING'), 'embedding')
  t.is(kindOf('UNKNOWN'), 'llm')
})

test('an OpenInference tool is given input.value, not the schema in tool.parameters', (t) => {
  const event = read({
    name: 'weather',
    attributes: {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'weather',
      'tool_call.id': 'c9',
      'tool.parameters': json({ type: 'object', properties: { city: { type: 'string' } } }),
      'input.value': json({ city: 'Paris' }),
      'output.value': 'rain',
    },
  })
  t.is(event.toolName, 'weather')
  t.is(event.toolCallId, 'c9')
  t.deepEqual(event.content.toolArguments, { city: 'Paris' })
  t.is(event.content.toolResult, 'rain')
})

test('a graph node names the agent on agent spans only', (t) => {
  const at = (kind: string) =>
    read({ attributes: { 'openinference.span.kind': kind, 'graph.node.name': 'critic' } }).agentOwn
  t.is(at('AGENT'), 'critic')
  t.is(at('CHAIN'), null)
})

test('without flattened messages, input.value is read as request, message or text', (t) => {
  const read1 = (value: string) =>
    read({ attributes: { 'openinference.span.kind': 'LLM', 'input.value': value } }).content.inputMessages
  t.deepEqual(read1('hello'), [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }])
  t.deepEqual(read1('{"order": 7}'), [{ role: 'user', parts: [{ type: 'text', text: '{"order": 7}' }] }])
  t.deepEqual(read1(json({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })), [
    { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
  ])
})

test('a claimed index of millions costs nothing and is flagged', (t) => {
  const event = read({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.content': 'kept',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.9999999.message.content': 'left out',
      'llm.input_messages.0.message.contents.5000.message_content.text': 'left out',
    },
  })
  t.deepEqual(event.content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'kept' }] }])
  t.true(event.flags.has('truncated'))
})

test('OpenInference: a step of a model class of LlamaIndex is no call', (t) => {
  const kindOf = (name: string, more: Readonly<Record<string, number>> = {}, statusCode: 0 | 2 = 0) =>
    read({
      name,
      scope: 'openinference.instrumentation.llama_index',
      statusCode,
      attributes: { 'openinference.span.kind': 'LLM', 'llm.model_name': 'gpt-4o-mini', ...more },
    }).kind
  t.is(kindOf('OpenAI._prepare_chat_with_tools'), 'chain')
  t.is(kindOf('OpenAI.achat'), 'llm')
  t.is(kindOf('Custom._call', { 'llm.token_count.prompt': 20 }), 'llm')
  t.is(kindOf('Custom._call', {}, 2), 'llm')
})

test('OpenInference: a stream of LlamaIndex lasts at least until its first token', (t) => {
  const durationOf = (scope: string) => {
    const span = makeSpan({ scope, end: start + 1_000_000n, attributes: { 'openinference.span.kind': 'LLM' } })
    const event = { name: 'First Token Stream Event', timeUnixNano: start + 150_000_000n, attributes: new Map() }
    return normalise({ ...span, events: [event] }).durationUs
  }
  t.is(durationOf('openinference.instrumentation.llama_index'), 150_000)
  t.is(durationOf('openinference.instrumentation.openai'), 1_000)
})

test('OpenInference: Haystack tells what the provider counted in what it keeps of an answer', (t) => {
  const scope = 'openinference.instrumentation.haystack'
  const printed = (text: string, usage: string) =>
    `ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[TextContent(text='${text}')], _name=None, ` +
    `_meta={'model': 'gpt-4o-mini-2024-07-18', 'index': 0, 'finish_reason': 'stop', 'usage': ${usage}})`
  const usage =
    "{'completion_tokens': 102, 'prompt_tokens': 2020, 'total_tokens': 2122, 'completion_tokens_details': " +
    "{'audio_tokens': 0, 'reasoning_tokens': 64}, 'prompt_tokens_details': {'audio_tokens': None, 'cached_tokens': 1024}}"
  const call = (output: Plain, more: SpanGiven['attributes'] = {}) =>
    counts(
      read({
        scope,
        name: 'OpenAIChatGenerator.run',
        attributes: { 'openinference.span.kind': 'LLM', 'output.value': json(output), ...more },
      }).usage,
    )
  const told = { 'llm.token_count.prompt': 2_020, 'llm.token_count.completion': 102 }
  t.deepEqual(call({ replies: [printed('Sunny.', usage)] }, told), [2_020, 102, 1_024, null, 64])
  // Numbers in the text of the answer are not usage.
  const quoted = "'usage': {'prompt_tokens_details': {'cached_tokens': 7}}"
  t.deepEqual(call({ replies: [printed(quoted, usage)] }, told), [2_020, 102, 1_024, null, 64])
  const bedrock =
    "{'prompt_tokens': 120, 'completion_tokens': 50, 'total_tokens': 5170, 'cache_read_input_tokens': 0, " +
    "'cache_write_input_tokens': 5000, 'cache_details': {}}"
  const toldOfBedrock = { 'llm.token_count.prompt': 120, 'llm.token_count.completion': 50 }
  t.deepEqual(call({ replies: [printed('Sunny.', bedrock)] }, toldOfBedrock), [5_120, 50, 0, 5_000, null])
  t.deepEqual(call({ replies: [printed('Sunny.', 'None')] }), [null, null, null, null, null])
  const embedding = read({
    scope,
    name: 'CreateEmbeddings',
    attributes: {
      'openinference.span.kind': 'EMBEDDING',
      'embedding.model_name': 'text-embedding-3-small',
      'output.value': json({
        embedding: '<8-dimensional vector>',
        meta: { model: 'text-embedding-3-small', usage: { prompt_tokens: 503, total_tokens: 503 } },
      }),
    },
  })
  t.deepEqual([embedding.kind, ...counts(embedding.usage)], ['embedding', 503, null, null, null, null])
})

test('OpenInference: a step of a workflow of LlamaIndex belongs to the agent that takes it', (t) => {
  const agentOf = (name: string, input: string) =>
    read({
      scope: 'openinference.instrumentation.llama_index',
      name,
      attributes: { 'openinference.span.kind': 'CHAIN', 'input.value': json({ ctx: '<Context>', ev: input }) },
    }).agentOwn
  const setup = (text: string) =>
    `AgentSetup(input=[ChatMessage(blocks=[TextBlock(block_type='text', text='${text}')])], current_agent_name='researcher')`
  t.is(agentOf('AgentWorkflow.run_agent_step', setup('Weather?')), 'researcher')
  t.is(agentOf('FunctionAgent.run_agent_step', setup("AgentSetup(current_agent_name='other')")), 'researcher')
  t.is(agentOf('AgentWorkflow.run_agent_step', 'AgentSetup(input=[])'), null)
  t.is(agentOf('AgentWorkflow.parse_agent_output', setup('Weather?')), null)
})

test('the Agent SDK of Claude tells what its models used on the span of the agent alone', (t) => {
  const usage = { 'llm.token_count.prompt': 8_701, 'llm.token_count.completion': 2 }
  const agent = (scope: string, attributes: SpanGiven['attributes']) =>
    read({
      name: 'ClaudeAgentSDK.query',
      scope: `openinference.instrumentation.${scope}`,
      attributes: { 'openinference.span.kind': 'AGENT', 'llm.model_name': 'claude-sonnet-4-5', ...attributes },
    })
  const turn = agent('claude_agent_sdk', { ...usage, 'session.id': 's-1' })
  t.deepEqual([turn.kind, turn.model, turn.sessionId], ['llm', 'claude-sonnet-4-5', 's-1'])
  t.is(turn.usage.inputTokens, 8_701)
  t.is(agent('claude_agent_sdk', { 'agent.name': 'Task' }).kind, 'agent', 'without usage')
  t.is(agent('agno', usage).kind, 'agent', 'others repeat the usage of the calls inside')
})

test('BeeAI: an event inside of a call is none, and the cache counts are among the metadata', (t) => {
  const scope = 'openinference.instrumentation.beeai'
  const call = read({
    name: 'OpenAIChatModel',
    scope,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': 2_010,
      'llm.token_count.completion': 101,
      'metadata.usage.cached_prompt_tokens': '1024',
      'metadata.usage.cached_creation_tokens': '0',
    },
  })
  t.is(call.kind, 'llm')
  t.deepEqual(counts(call.usage), [2_010, 101, 1_024, 0, null])
  for (const [name, kind] of [
    ['new_token', 'LLM'],
    ['error', 'LLM'],
    ['error', 'AGENT'],
    ['retry', 'TOOL'],
  ] as const) {
    const attributes = { 'openinference.span.kind': kind, 'metadata.path': `backend.openai.chat.${name}` }
    const event = read({ name, scope, attributes })
    t.deepEqual([event.kind, event.agentOwn, event.toolName], ['other', null, null], `${name} ${kind}`)
    t.not(read({ name, scope: 'app', attributes }).kind, 'other')
  }
})

test("Bedrock's usage and its model are in the request and the answer that OpenInference keeps", (t) => {
  const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
  const usage = {
    inputTokens: 300,
    outputTokens: 120,
    totalTokens: 3_120,
    cacheReadInputTokens: 2_000,
    cacheWriteInputTokens: 700,
  }
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.provider': 'aws',
    'llm.system': 'anthropic',
    'input.value': json({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }], modelId }),
    'llm.token_count.prompt': 300,
    'llm.token_count.completion': 120,
    'llm.token_count.total': 3_120,
    'output.value': json({ output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } }, usage }),
  }
  // What the JavaScript instrumentation takes for the model if a region precedes the vendor.
  const call = read({ attributes: { ...attributes, 'llm.model_name': 'anthropic' } })
  t.is(call.model, modelId)
  t.deepEqual(counts(call.usage), [3_000, 120, 2_000, 700, null])
  t.is(read({ attributes: { ...attributes, 'llm.model_name': 'claude-sonnet-4-5' } }).model, 'claude-sonnet-4-5')
  const { 'input.value': _, ...unknown } = attributes
  t.is(read({ attributes: { ...unknown, 'llm.model_name': 'anthropic' } }).model, 'anthropic')
})

test("Gemini's cache and thoughts are in the answer that OpenInference keeps", (t) => {
  const usageMetadata = {
    promptTokenCount: 2_000,
    candidatesTokenCount: 100,
    totalTokenCount: 2_164,
    thoughtsTokenCount: 64,
    cachedContentTokenCount: 1_024,
  }
  const call = read({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gemini-2.5-flash',
      'llm.token_count.prompt': 2_000,
      'llm.token_count.completion': 100,
      'llm.token_count.total': 2_164,
      'output.value': json({ candidates: [], usageMetadata }),
    },
  })
  t.deepEqual(counts(call.usage), [2_000, 164, 1_024, null, 64])
})

test('OpenInference: the id of an answer is one of the provider, not of a record that the model wrote', (t) => {
  const idOf = (output: string) =>
    read({
      scope: 'openinference.instrumentation.mistralai',
      attributes: { 'openinference.span.kind': 'LLM', 'output.value': output },
    }).responseId
  t.is(idOf('{"id":"chatcmpl-1a","object":"chat.completion","choices":[]}'), 'chatcmpl-1a')
  t.is(idOf('{"id":"0a1b2c","object":"chat.completion","choices":[]}'), '0a1b2c')
  t.is(idOf('{"id": "0a1b2c", "type": "message", "content": []}'), '0a1b2c')
  t.is(idOf('{"id": "0a1b2c", "message": {}, "finish_reason": "COMPLETE"}'), '0a1b2c')
  t.is(idOf('{"id":"msg_1a","container":null,"content":[{"text":"a long answer that is cut'), 'msg_1a')
  t.is(idOf('{"id": "order-17", "status": "shipped"}'), null)
  t.is(idOf('{"id":"17","type":"invoice","note":"\\"usage\\": none"}'), null)
})
