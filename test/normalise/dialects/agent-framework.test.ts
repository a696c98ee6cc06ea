import test from 'ava'
import { counts, read, type SpanGiven } from '../_span.ts'

const usage = {
  'gen_ai.usage.input_tokens': 3_000,
  'gen_ai.usage.output_tokens': 120,
  'gen_ai.usage.cache_creation.input_tokens': 500,
  'gen_ai.usage.cache_read.input_tokens': 2_000,
}
const chat = (provider: string, model: string, more: SpanGiven['attributes'] = {}, scope = 'agent_framework') =>
  read({
    name: `chat ${model}`,
    scope,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      ...usage,
      ...more,
    },
  })

test('the counts of Claude and of Bedrock exclude the cache on each platform', (t) => {
  const claude = chat('anthropic', 'claude-sonnet-4-5')
  t.deepEqual([claude.kind, claude.dialect], ['llm', 'agent-framework'])
  t.deepEqual(counts(claude.usage), [5_500, 120, 2_000, 500, null])
  t.true(claude.flags.has('usage_adjusted'))
  for (const [provider, model] of [
    ['aws.bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['aws.bedrock', 'amazon.nova-pro-v1:0'],
    ['azure.ai.foundry', 'claude-sonnet-4-5'],
    ['google.vertex.ai', 'claude-sonnet-4-5@20250929'],
  ] as const)
    t.is(chat(provider, model).usage.inputTokens, 5_500, `${provider} ${model}`)
})

test('the platform of Azure is the same provider in each spelling', (t) => {
  for (const name of ['azure.ai.foundry', 'microsoft.foundry', 'azure.ai.inference'])
    t.is(chat(name, 'claude-sonnet-4-5').provider, 'azure.ai.inference', name)
})

test('the counts of other clients include the cache, also if they call Claude through a gateway', (t) => {
  for (const [provider, model] of [
    ['openai', 'gpt-5-mini'],
    ['openai', 'anthropic/claude-sonnet-4-5'],
    ['azure.ai.openai', 'gpt-5-mini'],
    ['azure.ai.foundry', 'gpt-5-mini'],
    ['gcp.gemini', 'gemini-2.5-flash'],
  ] as const) {
    const call = chat(provider, model)
    t.deepEqual(counts(call.usage), [3_000, 120, 2_000, 500, null], `${provider} ${model}`)
    t.false(call.flags.has('usage_adjusted'))
  }
  t.is(chat('anthropic', 'claude-sonnet-4-5', {}, 'another.framework').usage.inputTokens, 3_000)
})

test("the output of Gemini excludes its thoughts, which other providers' outputs include", (t) => {
  const thought = (provider: string, model: string) =>
    read({
      name: `chat ${model}`,
      scope: 'agent_framework',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': 1_000,
        'gen_ai.usage.output_tokens': 400,
        'gen_ai.usage.reasoning.output_tokens': 300,
      },
    })
  const gemini = thought('gcp.gemini', 'gemini-2.5-flash')
  t.deepEqual(counts(gemini.usage), [1_000, 700, null, null, 300])
  t.true(gemini.flags.has('usage_adjusted'))
  const openai = thought('openai', 'gpt-5-mini')
  t.deepEqual(counts(openai.usage), [1_000, 400, null, null, 300])
  t.false(openai.flags.has('usage_adjusted'))
})

const agent = (provider: string, more: SpanGiven['attributes'] = {}) =>
  read({
    name: 'invoke_agent coder',
    scope: 'agent_framework',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      'gen_ai.agent.id': 'a1',
      'gen_ai.agent.name': 'coder',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      ...more,
    },
  })

test('a turn of an agent whose model runs in another process is a model call', (t) => {
  const turn = {
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 900,
    'gen_ai.usage.cache_creation.input_tokens': 4_000,
    'gen_ai.usage.cache_read.input_tokens': 30_000,
  }
  const claude = agent('anthropic.claude', turn)
  t.deepEqual(
    [claude.kind, claude.agentOwn, claude.provider, claude.model],
    ['llm', 'coder', 'anthropic', 'claude-sonnet-4-5'],
  )
  t.deepEqual(counts(claude.usage), [34_012, 900, 30_000, 4_000, null])
  const copilot = agent('github.copilot', { ...turn, 'gen_ai.usage.input_tokens': 35_000 })
  t.deepEqual([copilot.kind, copilot.usage.inputTokens], ['llm', 35_000])
  t.is(agent('anthropic.claude').kind, 'agent', 'without usage')
  t.is(agent('microsoft.agent_framework', turn).kind, 'agent', 'it sums up its model calls')
})

test('an agent that goes by its id has no name', (t) => {
  const id = '0b7f1c0e-5b7b-4f0e-9d51-1f9a6c1d2e3f'
  const invocation = (name: string, scope = 'agent_framework') =>
    read({
      name: `invoke_agent ${name}`,
      scope,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': id, 'gen_ai.agent.name': name },
    }).agentOwn
  t.is(invocation(id), null)
  t.is(invocation('coder'), 'coder')
  t.is(invocation(`coder ${id}`), `coder ${id}`)
  t.is(invocation(id, 'another.framework'), id)
})
