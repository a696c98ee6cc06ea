import test from 'ava'
import { counts, read } from '../_span.ts'

const call = (scope: string) =>
  read({
    name: 'chat us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'aws.bedrock',
      'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'gen_ai.usage.input_tokens': 5_001,
      'gen_ai.usage.output_tokens': 121,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cache_write.input_tokens': 300,
    },
  }).usage

test("OpenTelemetry's instrumentations of AWS' SDKs report Bedrock's input, which leaves the cache out", (t) => {
  t.deepEqual(counts(call('opentelemetry.instrumentation.genai.bedrock')), [5_701, 121, 400, 300, null])
  t.deepEqual(counts(call('opentelemetry.instrumentation.botocore.bedrock-runtime')), [5_701, 121, 400, 300, null])
  t.deepEqual(counts(call('an_application')), [5_001, 121, 400, 300, null])
})

test('an embedding on Bedrock, which they report as any call, is told by its model', (t) => {
  const javaScript = read({
    name: 'BedrockRuntime.InvokeModel',
    scope: '@opentelemetry/instrumentation-aws-sdk',
    attributes: {
      'gen_ai.system': 'aws.bedrock',
      'gen_ai.request.model': 'amazon.titan-embed-text-v2:0',
      'gen_ai.usage.input_tokens': 12,
    },
  })
  t.deepEqual([javaScript.kind, javaScript.usage.inputTokens], ['embedding', 12])
  const python = (model: string, scope = 'opentelemetry.instrumentation.botocore.bedrock-runtime') =>
    read({
      name: `chat ${model}`,
      scope,
      attributes: {
        'gen_ai.system': 'aws.bedrock',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model,
      },
    }).kind
  t.is(python('cohere.embed-english-v3'), 'embedding')
  t.is(python('amazon.titan-text-express-v1'), 'llm')
  t.is(python('cohere.embed-english-v3', 'app'), 'llm', 'of another sender')
})
