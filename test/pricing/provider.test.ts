import test from 'ava'
import { canonicalProvider, isSelfHosted, priceListOf } from '../../src/pricing/provider.ts'

test('every other name of a provider gives its OpenTelemetry name', (t) => {
  const names: readonly (readonly [string, string])[] = [
    ['az.ai.openai', 'azure.ai.openai'],
    ['az.ai.inference', 'azure.ai.inference'],
    ['vertex_ai', 'gcp.vertex_ai'],
    ['google_vertexai', 'gcp.vertex_ai'],
    ['gemini', 'gcp.gemini'],
    ['google.ai.studio', 'gcp.gemini'],
    ['google_genai', 'gcp.gemini'],
    ['xai', 'x_ai'],
    ['bedrock', 'aws.bedrock'],
    ['mistral', 'mistral_ai'],
    ['mistralai', 'mistral_ai'],
    [' OpenAI ', 'openai'],
    ['Anthropic', 'anthropic'],
  ]
  for (const [name, canonical] of names) t.is(canonicalProvider(name), canonical, name)
})

test('the names of LangChain4j and of Azure, and other separators, give the same', (t) => {
  const names: readonly (readonly [string, string | null])[] = [
    ['OPEN_AI', 'openai'],
    ['AZURE_OPEN_AI', 'azure.ai.openai'],
    ['MICROSOFT_FOUNDRY', 'azure.ai.inference'],
    ['microsoft.foundry', 'azure.ai.inference'],
    ['az.ai.agents', 'azure.ai.inference'],
    ['GOOGLE_AI_GEMINI', 'gcp.gemini'],
    ['GOOGLE_GENAI', 'gcp.gemini'],
    ['GOOGLE_VERTEX_AI_GEMINI', 'gcp.vertex_ai'],
    ['GOOGLE_VERTEX_AI_ANTHROPIC', 'gcp.vertex_ai'],
    ['AMAZON_BEDROCK', 'aws.bedrock'],
    ['AwsBedrock', 'aws.bedrock'],
    ['MISTRAL_AI', 'mistral_ai'],
    ['Azure OpenAI', 'azure.ai.openai'],
    ['LocalAI', 'localai'],
    ['lm_studio', 'lm_studio'],
    ['Lang-Chain', null],
    ['open-ai-gateway', 'open-ai-gateway'],
  ]
  for (const [name, canonical] of names) t.is(canonicalProvider(name), canonical, name)
})

test('a canonical name stays as it is', (t) => {
  for (const name of ['azure.ai.openai', 'gcp.vertex_ai', 'aws.bedrock', 'x_ai', 'ibm.watsonx.ai', 'groq']) {
    t.is(canonicalProvider(name), name)
  }
})

test('the part of a Vercel provider that names the endpoint is dropped', (t) => {
  t.is(canonicalProvider('openai.chat'), 'openai')
  t.is(canonicalProvider('azure-openai.responses'), 'azure.ai.openai')
  t.is(canonicalProvider('google.vertex.chat'), 'gcp.vertex_ai')
  t.is(canonicalProvider('google.generative-ai'), 'gcp.gemini')
  t.is(canonicalProvider('googleVertex.anthropic.messages'), 'gcp.vertex_ai')
  t.is(canonicalProvider('bedrock.anthropic.messages'), 'aws.bedrock')
  t.is(canonicalProvider('bedrock-mantle.responses'), 'aws.bedrock')
  t.is(canonicalProvider('anthropic-aws.messages'), 'anthropic')
  for (const name of ['lmstudio', 'ollama']) t.true(isSelfHosted(canonicalProvider(`${name}.chat`) ?? ''), name)
})

test('the endpoint is dropped from an unknown name too', (t) => {
  for (const name of ['openrouter', 'cerebras', 'deepinfra', 'my.gateway']) {
    for (const endpoint of ['chat', 'completion', 'responses', 'messages', 'embedding', 'textEmbedding', 'reranking'])
      t.is(canonicalProvider(`${name}.${endpoint}`), name)
  }
  t.is(canonicalProvider('langchain.chat'), null)
  t.is(canonicalProvider('.chat'), null)
  t.is(canonicalProvider('a.chatroom'), 'a.chatroom')
})

test('an unknown name is kept, and a name of no provider gives null', (t) => {
  t.is(canonicalProvider('Acme.Models'), 'acme.models')
  t.is(canonicalProvider('langchain'), null)
  t.is(canonicalProvider('  '), null)
})

test('each canonical name leads to its price list', (t) => {
  t.is(priceListOf('azure.ai.openai'), 'azure')
  t.is(priceListOf('gcp.gemini'), 'google')
  t.is(priceListOf('openai'), 'openai')
  t.is(priceListOf('acme'), 'acme')
})

test('a local runtime is distinguished from a provider', (t) => {
  t.true(isSelfHosted('ollama'))
  t.false(isSelfHosted('openai'))
})
