import test from 'ava'
import { counts, read } from './_span.ts'

const call = (system: string, scope = 'openinference.instrumentation.agno') =>
  read({
    name: 'Model.invoke',
    scope,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'a-model',
      'llm.system': system,
      'llm.token_count.prompt': 5_000,
      'llm.token_count.completion': 120,
      'llm.token_count.prompt_details.cache_read': 400,
      'llm.token_count.prompt_details.cache_write': 300,
      'output.value': '[{"role":"assistant","content":"Sunny"}]',
    },
  })

test("of Anthropic's models, Agno repeats the input, which leaves the cache out", (t) => {
  t.deepEqual(counts(call('anthropic').usage), [5_700, 120, 400, 300, null])
})

test("a gateway counts Anthropic's models as OpenAI does", (t) => {
  const { usage } = read({
    name: 'OpenRouter.invoke',
    scope: 'openinference.instrumentation.agno',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'anthropic/claude-sonnet-4-5',
      'llm.provider': 'OpenRouter',
      'llm.system': 'anthropic',
      'llm.token_count.prompt': 5_000,
      'llm.token_count.completion': 120,
      'llm.token_count.prompt_details.cache_read': 400,
    },
  })
  t.deepEqual(counts(usage), [5_000, 120, 400, null, null])
})

test('the input leaves the cache out of Claude on Bedrock too, whose model has a region before its vendor', (t) => {
  const bedrock = (scope: string) =>
    read({
      name: 'Claude.invoke',
      scope,
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
        'llm.provider': 'AwsBedrock',
        'llm.token_count.prompt': 5_000,
        'llm.token_count.completion': 120,
        'llm.token_count.prompt_details.cache_read': 400,
        'llm.token_count.prompt_details.cache_write': 300,
      },
    })
  const call = bedrock('openinference.instrumentation.agno')
  t.is(call.provider, 'aws.bedrock')
  t.deepEqual(counts(call.usage), [5_700, 120, 400, 300, null])
  t.deepEqual(counts(bedrock('openinference.instrumentation.other').usage), [5_000, 120, 400, 300, null])
})

test('the input leaves the cache out of Claude on Vertex AI, and holds that of Gemini', (t) => {
  const vertex = (model: string) =>
    read({
      name: 'Model.invoke',
      scope: 'openinference.instrumentation.agno',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': model,
        'llm.provider': 'VertexAI',
        'llm.system': 'vertexai',
        'llm.token_count.prompt': 5_000,
        'llm.token_count.completion': 120,
        'llm.token_count.prompt_details.cache_read': 400,
      },
    }).usage.inputTokens
  t.is(vertex('claude-sonnet-4@20250514'), 5_400)
  t.is(vertex('gemini-2.5-pro'), 5_000)
})

test("the input of other models, and of Anthropic's in another instrumentation, holds the cache", (t) => {
  t.deepEqual(counts(call('openai').usage), [5_000, 120, 400, 300, null])
  t.deepEqual(counts(call('anthropic', 'openinference.instrumentation.anthropic').usage), [5_000, 120, 400, 300, null])
})
