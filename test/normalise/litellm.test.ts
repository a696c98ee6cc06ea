import test from 'ava'
import { counts, json, read } from './_span.ts'

const call = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.system': 'openai',
  'gen_ai.request.model': 'gpt-4o-mini',
  'gen_ai.response.id': 'chatcmpl-1',
  'gen_ai.usage.input_tokens': 2_000,
  'gen_ai.usage.output_tokens': 100,
  'gen_ai.usage.total_tokens': 2_100,
  'litellm.call_id': '74434de3',
  'litellm.cache_hit': false,
  'llm.request.type': 'completion',
}
const usage =
  "{'completion_tokens': 100, 'prompt_tokens': 2000, 'total_tokens': 2100, 'completion_tokens_details': {'audio_tokens': None, 'reasoning_tokens': 64}, 'prompt_tokens_details': {'audio_tokens': 0, 'cached_tokens': 1024}}"

const readCall = (more: Readonly<Record<string, string | number | boolean>>) =>
  read({ name: 'litellm_request', scope: 'litellm', attributes: { ...call, ...more } })

test('LiteLLM: cache and reasoning are in what Python prints of the usage', (t) => {
  const event = readCall({ 'metadata.usage_object': usage, 'gen_ai.cost.total_cost': 0.00028 })
  t.is(event.kind, 'llm')
  t.deepEqual(counts(event.usage), [2_000, 100, 1_024, null, 64])
  t.is(event.providedCostUsd, 0.00028)
})

test("LiteLLM: Anthropic's input holds the cache already", (t) => {
  const printed =
    "{'completion_tokens': 128, 'prompt_tokens': 3008, 'total_tokens': 3136, 'prompt_tokens_details': {'audio_tokens': None, 'cached_tokens': 2000, 'text_tokens': 308, 'cache_creation_tokens': 700, 'cache_creation_token_details': {'ephemeral_5m_input_tokens': 500, 'ephemeral_1h_input_tokens': 200}}, 'cache_creation_input_tokens': 700, 'cache_read_input_tokens': 2000, 'speed': None}"
  const { usage: told } = readCall({
    'gen_ai.system': 'anthropic',
    'gen_ai.usage.input_tokens': 3_008,
    'gen_ai.usage.output_tokens': 128,
    'gen_ai.usage.total_tokens': 3_136,
    'metadata.usage_object': printed,
  })
  t.deepEqual(counts(told), [3_008, 128, 2_000, 700, null])
  t.is(told.cacheWrite1hTokens, 200)
})

test('LiteLLM: a usage object that was cut tells nothing', (t) => {
  t.deepEqual(counts(readCall({ 'metadata.usage_object': usage.slice(0, -4) }).usage), [2_000, 100, null, null, null])
})

test('LiteLLM: its asynchronous functions have names of their own', (t) => {
  const kindOf = (operation: string) =>
    readCall({ 'gen_ai.operation.name': operation, 'llm.request.type': operation }).kind
  t.is(kindOf('acompletion'), 'llm')
  t.is(kindOf('aresponses'), 'llm')
  t.is(kindOf('anthropic_messages'), 'llm')
  t.is(kindOf('embedding'), 'embedding')
  t.is(kindOf('aembedding'), 'embedding')
  t.is(kindOf('aimage_generation'), 'other')
})

test('LiteLLM: older releases state the function alone', (t) => {
  const kindOf = (type: string) =>
    read({ scope: 'litellm', attributes: { 'llm.request.type': type, 'gen_ai.request.model': 'm' } }).kind
  t.is(kindOf('acompletion'), 'llm')
  t.is(kindOf('aembedding'), 'embedding')
})

test('LiteLLM: the tools that the model asks for stand beside the answer', (t) => {
  const event = readCall({
    'gen_ai.output.messages': json([{ role: 'assistant', parts: [], finish_reason: 'tool_calls' }]),
    'gen_ai.completion.0.function_call.name': 'get_weather',
    'gen_ai.completion.0.function_call.arguments': '{"city": "Paris"}',
    'gen_ai.completion.1.function_call.name': 'get_time',
  })
  t.deepEqual(
    event.toolRequests.map(({ name }) => name),
    ['get_weather', 'get_time'],
  )
})

test('LiteLLM: an answer out of its cache is no call of the model', (t) => {
  t.is(readCall({ 'litellm.cache_hit': true }).kind, 'chain')
})

test('LiteLLM: the request to the provider tells a call by itself', (t) => {
  const event = read({
    name: 'raw_gen_ai_request',
    scope: 'litellm',
    spanKind: 1,
    attributes: {
      'llm.anthropic.messages': "[{'role': 'user', 'content': [{'type': 'text', 'text': 'hello'}]}]",
      'llm.anthropic.id': 'msg_1',
      'llm.anthropic.model': 'claude-sonnet-4-5-20250929',
      'llm.anthropic.usage':
        "{'input_tokens': 308, 'cache_creation_input_tokens': 700, 'cache_read_input_tokens': 2000, 'cache_creation': {'ephemeral_5m_input_tokens': 500, 'ephemeral_1h_input_tokens': 200}, 'output_tokens': 128, 'service_tier': 'standard'}",
    },
  })
  t.is(event.kind, 'llm')
  t.is(event.model, 'claude-sonnet-4-5-20250929')
  t.is(event.provider, 'anthropic')
  t.is(event.responseId, 'msg_1')
  t.deepEqual(counts(event.usage), [3_008, 128, 2_000, 700, null])
})

test('LiteLLM: None is no provider', (t) => {
  const attributes = {
    'llm.None.model': 'gpt-5-mini',
    'llm.None.output': '[]',
    'llm.None.usage': "{'input_tokens': 3}",
  }
  const event = read({ scope: 'litellm', attributes })
  t.is(event.kind, 'llm')
  t.is(event.provider, null)
})

test('LiteLLM: a request without its model, or of something else than an answer, is no call', (t) => {
  const kindOf = (attributes: Readonly<Record<string, string>>) => read({ scope: 'litellm', attributes }).kind
  t.is(kindOf({ 'llm.bedrock.messages': '[]', 'llm.bedrock.usage': "{'inputTokens': 3}" }), 'other')
  t.is(kindOf({ 'llm.None.model': 'text-embedding-3-small', 'llm.None.input': "['hello']" }), 'other')
})

const ofProxy = { 'gen_ai.request.model': 'best', 'litellm.api_key.hash': 'a1' }

test("LiteLLM's proxy: the spans around a call, which name its model, are no calls", (t) => {
  t.is(read({ name: 'route best', scope: 'litellm', attributes: ofProxy }).kind, 'chain')
  const request = { ...ofProxy, 'http.route': '/v1/chat/completions' }
  const scope = 'opentelemetry.instrumentation.fastapi'
  t.is(read({ name: 'POST /v1/chat/completions', scope, attributes: request }).kind, 'chain')
})

test("LiteLLM's proxy: the model is the provider's, not the name under which it is offered", (t) => {
  const event = read({
    name: 'chat best',
    scope: 'litellm',
    attributes: {
      ...ofProxy,
      'gen_ai.operation.name': 'chat',
      'gen_ai.response.model': 'best',
      'litellm.provider.model': 'anthropic/claude-sonnet-4-5',
      'litellm.cost.total': 0.018549,
      'litellm.end_user.id': 'u-1',
    },
  })
  t.is(event.kind, 'llm')
  t.is(event.model, 'claude-sonnet-4-5')
  t.is(event.providedCostUsd, 0.018549)
  t.is(event.userId, 'u-1')
})

test('LiteLLM: its newer tracing names functions that call no model for text as those that do', (t) => {
  const kindOf = (operation: string, type: string) =>
    read({
      name: `${operation} best`,
      scope: 'litellm',
      attributes: { ...ofProxy, 'gen_ai.operation.name': operation, 'litellm.call_type': type },
    }).kind
  for (const type of ['arerank', 'rerank']) t.is(kindOf('chat', type), 'reranker', type)
  for (const type of ['aimage_generation', 'speech', 'atranscription', 'aocr'])
    t.is(kindOf('generate_content', type), 'other', type)
  for (const type of ['aimage_edit', 'acreate_batch', 'afile_content', 'avideo_content', 'acreate_fine_tuning_job'])
    t.is(kindOf('chat', type), 'other', type)
  for (const type of ['completion', 'acompletion', 'completion_with_retries', 'anthropic_messages', 'a_new_function'])
    t.is(kindOf('chat', type), 'llm', type)
  t.is(kindOf('chat', 'allm_passthrough_route'), 'llm')
  t.is(kindOf('generate_content', 'agenerate_content'), 'llm')
  t.is(kindOf('embeddings', 'aembedding'), 'embedding')
})

test('LiteLLM: the proxy repeats the failure of a request as a span, which is no failure of its own', (t) => {
  const span = (name: string, scope = 'litellm') => read({ name, scope, statusCode: 2 }).status
  t.is(span('Failed Proxy Server Request'), 'ok')
  t.is(span('Received Proxy Server Request'), 'error')
  t.is(span('Failed Proxy Server Request', 'my-app'), 'error')
})

test('LiteLLM: the provider before a model is its provider, and no part of its name', (t) => {
  const routed = (model: string, more = {}) =>
    read({
      name: 'litellm_request',
      scope: 'litellm',
      attributes: {
        'litellm.call_id': '74434de3',
        'llm.request.type': 'acompletion',
        'litellm.provider.model': model,
        ...more,
      },
    })
  const anthropic = routed('anthropic/claude-sonnet-4-5')
  t.is(anthropic.provider, 'anthropic')
  t.is(anthropic.model, 'claude-sonnet-4-5')
  t.is(routed('azure/gpt-4o').provider, 'azure.ai.openai')
  t.is(routed('azure/gpt-4o').model, 'gpt-4o')
  t.is(routed('openrouter/anthropic/claude-sonnet-4.5').model, 'anthropic/claude-sonnet-4.5')
  t.is(routed('gpt-4o').model, 'gpt-4o')
  // Another gateway's names of models, and the organizations of open models, are parts of the name.
  t.is(routed('anthropic/claude-sonnet-4.5', { 'gen_ai.system': 'openrouter' }).model, 'anthropic/claude-sonnet-4.5')
})
