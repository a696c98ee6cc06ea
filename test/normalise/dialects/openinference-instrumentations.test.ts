import test from 'ava'
import { counts, json, read, type SpanGiven } from '../_span.ts'
import { listCounted } from '../_trace.ts'

type Given = NonNullable<SpanGiven['attributes']>

const scoped =
  (scope: string) =>
  (name: string, kind: string, attributes: Given, more: Partial<SpanGiven> = {}) =>
    read({ name, scope, attributes: { 'openinference.span.kind': kind, ...attributes }, ...more })

test("an embedding of Microsoft's Agent Framework is no chain", (t) => {
  const attributes = {
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'text-embedding-3-small',
    'gen_ai.usage.input_tokens': 507,
    'llm.model_name': 'text-embedding-3-small',
    'llm.token_count.prompt': 507,
  }
  const span = scoped('agent_framework')
  const named = (operation: string, kind = 'CHAIN') =>
    span(`${operation} text-embedding-3-small`, kind, { ...attributes, 'gen_ai.operation.name': operation })
  const event = named('embeddings')
  t.deepEqual(
    [event.kind, event.model, ...counts(event.usage)],
    ['embedding', 'text-embedding-3-small', 507, null, null, null, null],
  )
  t.is(named('workflow.run').kind, 'chain')
  t.is(named('embeddings', 'AGENT').kind, 'agent')
})

test("what fills in a template is no model call of Haystack's", (t) => {
  const span = scoped('openinference.instrumentation.haystack')
  const template = {
    'llm.prompt_template.template': 'Where is {{city}}?',
    'llm.prompt_template.variables': '{"city":"Munich"}',
  }
  const builder = { 'input.value': '{"city":"Munich"}', ...template, 'output.value': 'Where is Munich?' }
  t.is(span('PromptBuilder.run', 'LLM', builder).kind, 'chain')
  t.is(scoped('openinference.instrumentation.openai')('ChatCompletion', 'LLM', builder).kind, 'llm')
  // The application sets its template on all spans.
  const asked = { 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': 'Hi' }
  t.is(span('OpenAIGenerator.run', 'LLM', { ...template, ...asked }, { statusCode: 2 }).kind, 'llm')
  t.is(span('OpenAIGenerator.run', 'LLM', { ...template, 'llm.model_name': 'gpt-4o-mini' }).kind, 'llm')
  t.is(span('OpenAIGenerator.run', 'LLM', { ...template, 'llm.token_count.prompt': 20 }).kind, 'llm')
})

test('of the requests to Vertex AI, only one for content is a model call', (t) => {
  const span = scoped('openinference.instrumentation.vertexai')
  const path = 'projects/p/locations/us-central1/publishers/google/models'
  const content = span('generate_content', 'LLM', {
    'llm.model_name': `${path}/gemini-2.0-flash`,
    'llm.provider': 'google',
    'llm.system': 'vertexai',
    'llm.token_count.prompt': 20,
    'llm.token_count.completion': 5,
    'llm.token_count.total': 25,
  })
  t.deepEqual(
    [content.kind, content.model, content.requestModel],
    ['llm', 'gemini-2.0-flash', `${path}/gemini-2.0-flash`],
  )
  const failed = span('generate_content', 'LLM', { 'llm.model_name': `${path}/gemini-2.0-flash` }, { statusCode: 2 })
  t.deepEqual([failed.kind, failed.status], ['llm', 'error'])
  const count = {
    'input.value': '{"contents":[]}',
    'output.value': '{"total_tokens":4,"total_billable_characters":12}',
  }
  t.is(span('count_tokens', 'LLM', count).kind, 'other')
  const endpoint = `${path}/text-embedding-005`
  const embedded = (tokens: number) => ({
    embeddings: { values: [0.1], statistics: { token_count: tokens, truncated: false } },
  })
  const embedding = span('predict', 'LLM', {
    'input.value': json({ endpoint, instances: [{ content: 'Hi' }, { content: 'Hello' }] }),
    'output.value': json({ predictions: [embedded(4), embedded(3)], deployed_model_id: '' }),
  })
  t.deepEqual(
    [embedding.kind, embedding.model, ...counts(embedding.usage)],
    ['embedding', 'text-embedding-005', 7, null, null, null, null],
  )
  const embeddingFailed = span('predict', 'LLM', { 'input.value': json({ endpoint }) }, { statusCode: 2 })
  t.deepEqual([embeddingFailed.kind, embeddingFailed.status], ['embedding', 'error'])
  t.is(span('stream_raw_predict', 'LLM', { 'input.value': '{"http_body":{}}' }).kind, 'llm')
  const drawing = json({ endpoint: `${path}/imagen-4.0-generate-001` })
  const image = { 'input.value': drawing, 'output.value': '{"predictions":[{"mimeType":"image/png"}]}' }
  t.is(span('predict', 'LLM', image).kind, 'other')
  t.is(scoped('openinference.instrumentation.mistralai')('count_tokens', 'LLM', count).kind, 'llm')
})

test('an embedding that another sender calls a chain stays one', (t) => {
  const attributes = { 'langfuse.observation.type': 'chain', 'gen_ai.operation.name': 'embeddings' }
  t.is(read({ name: 'embed_documents', attributes }).kind, 'chain')
})

test("a model's name keeps what is no path of a publisher on Vertex AI", (t) => {
  const modelOf = (model: string) => read({ attributes: { 'gen_ai.request.model': model } }).model
  t.is(modelOf('publishers/google/models/gemini-2.0-flash'), 'gemini-2.0-flash')
  for (const model of ['accounts/fireworks/models/deepseek-v3', 'models/gemini-2.5-flash', 'a/publishers/b/models/c'])
    t.is(modelOf(model), model)
})

test('a tool of DSPy is named and called without the method that runs it', (t) => {
  const span = scoped('openinference.instrumentation.dspy')
  const called = { 'input.value': '{"kwargs": {"x": 2, "y": 2}}', 'output.value': '4' }
  const plain = read({
    name: 'add',
    attributes: { 'gen_ai.tool.name': 'add', 'gen_ai.tool.call.arguments': '{"x":2,"y":2}' },
  })
  for (const name of ['add.__call__', 'add.acall']) {
    const tool = span(name, 'TOOL', called)
    t.deepEqual([tool.kind, tool.toolName, tool.content.toolArguments], ['tool', 'add', { x: 2, y: 2 }], name)
    t.is(tool.inputHash, plain.inputHash)
    t.is(span(name, 'TOOL', called).content.toolResult, 4)
  }
  t.is(span('finish.__call__', 'TOOL', { 'input.value': '{"kwargs": {}}' }).kind, 'chain')
  t.is(span('Adapter.acall', 'CHAIN', {}).kind, 'chain')
  const other = scoped('openinference.instrumentation.other')('add.__call__', 'TOOL', called)
  t.deepEqual([other.toolName, other.content.toolArguments], ['add.__call__', { kwargs: { x: 2, y: 2 } }])
})

test("of the requests of OpenAI's client, only those that a model answers are model calls", (t) => {
  const span = scoped('openinference.instrumentation.openai')
  const asked = { 'llm.system': 'openai', 'llm.invocation_parameters': '{}', 'input.value': '{}' }
  for (const name of ['Batch', 'FileObject', 'ImagesResponse', 'ModerationCreateResponse', 'SyncCursorPage'])
    t.is(span(name, 'LLM', { ...asked, 'output.value': '{"id":"batch_1","usage":{"input_tokens":3}}' }).kind, 'other')
  for (const name of ['ChatCompletion', 'Completion', 'Response', 'BetaResponse', 'CompactedResponse'])
    t.is(span(name, 'LLM', asked, { statusCode: 2 }).kind, 'llm', name)
  t.is(span('CreateEmbeddingResponse', 'EMBEDDING', asked).kind, 'embedding')
  t.is(scoped('openinference.instrumentation.other')('Batch', 'LLM', asked).kind, 'llm')
})

test('of the requests for a response in the background, the one that returns it is the model call', (t) => {
  const span = (status: string, more: Given = {}) =>
    scoped('openinference.instrumentation.openai')('Response', 'LLM', {
      'llm.model_name': 'gpt-5',
      'output.value': json({ id: 'resp_1', status, output: [{ type: 'reasoning', status: 'in_progress' }] }),
      ...more,
    }).kind
  t.is(span('queued'), 'other')
  t.is(span('in_progress'), 'other')
  t.is(span('completed', { 'llm.token_count.prompt': 20, 'llm.token_count.completion': 5 }), 'llm')
  t.is(span('failed'), 'llm')
})

test("the steps around a request of Instructor's are no tools", (t) => {
  const span = scoped('openinference.instrumentation.instructor')
  const asked = { 'input.value': '[{"role":"user","content":"Hi"}]' }
  for (const name of ['instructor.patch', 'instructor.async_patch', 'handle_response_model'])
    t.is(span(name, 'TOOL', asked).kind, 'chain')
})

test("the arguments of a tool of AG2's are not the whole call", (t) => {
  const called = (scope: string) =>
    scoped(scope)('get_weather', 'TOOL', {
      'tool.name': 'get_weather',
      'tool_call.id': 'c1',
      'input.value': json({ name: 'get_weather', arguments: '{"city":"Paris"}' }),
      'tool_call.function.arguments': '{"city": "Paris"}',
    })
  const tool = called('openinference.instrumentation.ag2')
  const plain = read({
    attributes: { 'gen_ai.tool.name': 'get_weather', 'gen_ai.tool.call.arguments': '{"city":"Paris"}' },
  })
  t.deepEqual(tool.content.toolArguments, { city: 'Paris' })
  t.is(tool.inputHash, plain.inputHash)
  t.not(called('openinference.instrumentation.other').inputHash, plain.inputHash)
})

test('requests that count tokens or are about speech, images, files or batches are no model calls', (t) => {
  const asked = { 'llm.model_name': 'a-model', 'input.value': '{}' }
  const kindOf = (scope: string, name: string) => scoped(scope)(name, 'LLM', asked).kind
  const none: Readonly<Record<string, readonly string[]>> = {
    'openinference.instrumentation.anthropic': ['messages.count_tokens', 'beta.messages.count_tokens'],
    'openinference.instrumentation.pipecat': ['pipecat.stt', 'pipecat.tts'],
    'openinference.instrumentation.litellm': ['image_generation', 'aimage_generation'],
    'envoyproxy/ai-gateway': [
      'ImagesResponse',
      'ImagesEditResponse',
      'Transcription',
      'AudioTranscription',
      'Translation',
      'CountTokens',
      'CreateFile',
      'RetrieveFileContent',
      'ListBatches',
      'CancelBatch',
    ],
  }
  for (const [scope, names] of Object.entries(none))
    for (const name of names) t.is(kindOf(scope, name), 'other', `${scope} ${name}`)
  const counting = { ...asked, 'llm.token_count.prompt': 12 }
  for (const name of ['CountTokens', 'ResponsesInputTokens', 'Tokenize'])
    t.is(scoped('envoyproxy/ai-gateway')(name, 'TOKEN_COUNTER', counting).kind, 'other', name)
  const calls: Readonly<Record<string, readonly string[]>> = {
    'openinference.instrumentation.anthropic': ['messages.create', 'beta.messages.stream'],
    'openinference.instrumentation.pipecat': ['pipecat.llm'],
    'openinference.instrumentation.litellm': ['completion', 'acompletion', 'aresponses'],
    'envoyproxy/ai-gateway': ['ChatCompletion', 'Completion', 'Responses', 'Message'],
    'openinference.instrumentation.other': ['messages.count_tokens', 'pipecat.tts', 'image_generation', 'CountTokens'],
  }
  for (const [scope, names] of Object.entries(calls))
    for (const name of names) t.is(kindOf(scope, name), 'llm', `${scope} ${name}`)
})

test('an interaction in the background, fetched until it is complete and then again, is one model call', (t) => {
  const scope = 'openinference.instrumentation.google_genai'
  const fetch = (id: string, input: number, output: number) => ({
    id,
    name: 'InteractionsResource.get',
    scope,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gemini-3-pro',
      'llm.token_count.prompt': input,
      'llm.token_count.completion': output,
      'output.value': json([{ type: 'model_output' }]),
      metadata: json({ interaction_id: 'v1_ChdPU0F4YWFtNkFwS2kxZThQZ05lbXdROBIXT1NBeGFhbTZBcEtpMWU4UGdOZW13UTg' }),
    },
  })
  const create = (output: SpanGiven['attributes'], statusCode: 1 | 2 = 1) => ({
    id: 'create',
    name: 'AsyncInteractionsResource.create',
    scope,
    statusCode,
    attributes: { 'openinference.span.kind': 'LLM', 'llm.model_name': 'gemini-3-pro', ...output },
  })
  for (const begun of [{}, { 'output.value': 'null' }, { 'output.value': '[]' }])
    t.is(read(create(begun)).kind, 'other')
  t.is(read(create({}, 2)).kind, 'llm', 'a failed call')
  t.is(read(create({ 'llm.token_count.prompt': 900 })).kind, 'llm')
  t.deepEqual(
    listCounted(
      create({}),
      fetch('first', 0, 0),
      { ...fetch('second', 0, 0), at: [100, 101] },
      { ...fetch('third', 900, 80), at: [200, 201] },
      { ...fetch('again', 900, 80), name: 'AsyncInteractionsResource.get', at: [300, 301] },
    ),
    ['llm third 900/80'],
  )
  t.is(read({ ...fetch('create', 0, 0), name: 'InteractionsResource.create' }).kind, 'llm')
})
