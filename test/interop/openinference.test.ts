import Anthropic from '@anthropic-ai/sdk'
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import test from 'ava'
import OpenAI from 'openai'
import { startService, type TestService } from '../_kit/serve.ts'
import { type Exporting, startExporting } from './_export.ts'
import { sameUsd, usd, usdPerMillion } from './_price.ts'
import { ofKind, readBack } from './_read.ts'
import { type FakeProviders, startFakeProviders } from './fake/providers.ts'

let service: TestService
let exporting: Exporting
let fake: FakeProviders
let openai: OpenAI
let anthropic: Anthropic

test.before(async () => {
  service = await startService()
  fake = await startFakeProviders()
  exporting = startExporting({ baseUrl: service.baseUrl, serviceName: 'support-bot', global: true, format: 'json' })
  const { provider: tracerProvider } = exporting
  new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(OpenAI)
  new AnthropicInstrumentation({ tracerProvider }).manuallyInstrument(Anthropic)
  openai = new OpenAI({ apiKey: 'none', baseURL: fake.openAiUrl, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: 'none', baseURL: fake.anthropicUrl, maxRetries: 0, openTelemetry: false })
})
test.after.always(async () => {
  await exporting?.stop()
  await fake?.stop()
  await service?.stop()
})

const ask = [{ role: 'user' as const, content: 'How is the weather in Rome?' }]
const rome = { id: 'call_1', name: 'get_weather', arguments: { city: 'Rome' } }
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } }

test.serial('OpenAI: a chat completion with cached tokens and a tool call', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  fake.openAi.willAnswer({
    model: 'gpt-4o-2024-08-06',
    tools: [rome],
    usage: { prompt: 1_500, completion: 30, cached: 1_024 },
  })
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
  await openai.chat.completions.create({ model: 'gpt-4o', messages: ask, tools })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.llm_calls, 1)
  t.is(told.summary.input_tokens, 1_500)
  t.is(told.summary.output_tokens, 30)
  t.is(told.summary.cached_tokens, 1_024)
  const { input, cached, output } = usdPerMillion.gpt4o
  sameUsd(t, told.summary.cost_usd, usd([476, input], [1_024, cached], [30, output]))
  t.deepEqual(told.agents, ['support-bot'])
  const [call] = ofKind(told, 'llm')
  t.is(call?.provider, 'openai')
  t.is(call?.model, 'gpt-4o-2024-08-06')
})

test.serial('OpenAI: a response with reasoning', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  const usage = { prompt: 900, completion: 300, cached: 512, reasoning: 256 }
  fake.openAi.willAnswer({ model: 'gpt-5-mini', text: 'Sunny', usage })
  await openai.responses.create({ model: 'gpt-5-mini', input: 'How is the weather?' })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.input_tokens, 900)
  t.is(told.summary.output_tokens, 300)
  t.is(told.summary.reasoning_tokens, 256)
  const { input, cached, output } = usdPerMillion.gpt5Mini
  sameUsd(t, told.summary.cost_usd, usd([388, input], [512, cached], [300, output]))
})

test.serial(
  'OpenAI: what the instrumentation leaves out stays unknown: the usage of streams and embeddings',
  async (t) => {
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
    fake.openAi.willAnswer(
      { model: 'gpt-4o-2024-08-06', text: 'Sunny today', usage: { prompt: 500, completion: 20 } },
      { model: 'text-embedding-3-small', usage: { prompt: 77, completion: 0 } },
    )
    const stream = await openai.chat.completions.create({
      model: 'gpt-4o',
      messages: ask,
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    t.is(text, 'Sunny today')
    await openai.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] })
    await exporting.flush()

    const told = await readBack(service, tenant, 2)
    t.is(told.summary.llm_calls, 1)
    t.is(told.summary.input_tokens, 0)
    for (const event of told.events) {
      t.is(event.input_tokens, null)
      t.is(event.cost_usd, null)
    }
    t.is(ofKind(told, 'embedding')[0]?.model, 'text-embedding-3-small')
  },
)

const claude = 'claude-sonnet-4-6'
const price = usdPerMillion.claudeSonnet46

test.serial('Anthropic: a message that reads and writes the prompt cache', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  const usage = { input: 1_000, output: 50, cacheRead: 300, cacheWrite5m: 200 }
  fake.anthropic.willAnswer({ model: claude, text: 'Let me see.', tools: [rome], usage })
  const tools = [{ name: 'get_weather', input_schema: parameters }]
  await anthropic.messages.create({ model: 'claude-sonnet-4-6', max_tokens: 100, messages: ask, tools })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.llm_calls, 1)
  t.is(told.summary.input_tokens, 1_500)
  t.is(told.summary.output_tokens, 50)
  t.is(told.summary.cached_tokens, 300)
  t.is(told.summary.cache_write_tokens, 200)
  const expected = usd([1_000, price.input], [300, price.cached], [200, price.write5m], [50, price.output])
  sameUsd(t, told.summary.cost_usd, expected)
  t.is(ofKind(told, 'llm')[0]?.provider, 'anthropic')
})

test.serial('Anthropic: a streamed message', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  const usage = { input: 10, output: 50, cacheRead: 3_000, cacheWrite5m: 100 }
  fake.anthropic.willAnswer({ model: claude, text: 'Sunny', usage })
  const stream = await anthropic.messages.create({ model: claude, max_tokens: 100, messages: ask, stream: true })
  for await (const event of stream) void event
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.input_tokens, 3_110)
  const expected = usd([10, price.input], [3_000, price.cached], [100, price.write5m], [50, price.output])
  sameUsd(t, told.summary.cost_usd, expected)
})

test.serial("Anthropic: the client's own span inside the instrumentation's is the one that counts", async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  const usage = { input: 1_000, output: 50, cacheRead: 300, cacheWrite5m: 100, cacheWrite1h: 200 }
  fake.anthropic.willAnswer({ model: claude, text: 'Sunny', usage })
  // Without the option the client traces itself, since the process has a global provider.
  const tracing = new Anthropic({ apiKey: 'none', baseURL: fake.anthropicUrl, maxRetries: 0 })
  await tracing.messages.create({ model: claude, max_tokens: 100, messages: ask })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.total_events, 2)
  t.is(told.summary.llm_calls, 1)
  t.is(told.summary.input_tokens, 1_600)
  t.is(told.summary.cache_write_tokens, 300)
  const written = [
    [100, price.write5m],
    [200, price.write1h],
  ] as const
  const expected = usd([1_000, price.input], [300, price.cached], ...written, [50, price.output])
  sameUsd(t, told.summary.cost_usd, expected)
})
