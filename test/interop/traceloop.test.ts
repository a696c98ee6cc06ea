import { AnthropicInstrumentation } from '@traceloop/instrumentation-anthropic'
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'
// The instrumentation wraps the old text completions, which the client removed in its version 1.
import * as anthropicModule from 'anthropic-sdk-0'
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
let anthropic: anthropicModule.Anthropic

test.before(async () => {
  service = await startService()
  fake = await startFakeProviders()
  exporting = startExporting({ baseUrl: service.baseUrl, serviceName: 'support-bot', global: true })
  const forOpenAi = new OpenAIInstrumentation()
  forOpenAi.setTracerProvider(exporting.provider)
  forOpenAi.manuallyInstrument(OpenAI)
  const forAnthropic = new AnthropicInstrumentation()
  forAnthropic.setTracerProvider(exporting.provider)
  // Typed for the client of version 1, which it cannot wrap.
  forAnthropic.manuallyInstrument(anthropicModule as never)
  openai = new OpenAI({ apiKey: 'none', baseURL: fake.openAiUrl, maxRetries: 0 })
  anthropic = new anthropicModule.Anthropic({ apiKey: 'none', baseURL: fake.anthropicUrl, maxRetries: 0 })
})
test.after.always(async () => {
  await exporting?.stop()
  await fake?.stop()
  await service?.stop()
})

const ask = [{ role: 'user' as const, content: 'How is the weather in Rome?' }]
const rome = { id: 'call_1', name: 'get_weather', arguments: { city: 'Rome' } }
const { input, output } = usdPerMillion.gpt4o

test.serial(
  'OpenAI: a chat completion costs its full price, since the instrumentation is silent on the cache',
  async (t) => {
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
    const usage = { prompt: 1_500, completion: 30, cached: 1_024 }
    fake.openAi.willAnswer({ model: 'gpt-4o-2024-08-06', tools: [rome], usage })
    await openai.chat.completions.create({ model: 'gpt-4o', messages: ask })
    await exporting.flush()

    const told = await readBack(service, tenant)
    t.is(told.summary.llm_calls, 1)
    t.is(told.summary.input_tokens, 1_500)
    t.is(told.summary.output_tokens, 30)
    sameUsd(t, told.summary.cost_usd, usd([1_500, input], [30, output]))
    const [call] = ofKind(told, 'llm')
    t.is(call?.cached_tokens, null)
    t.is(call?.provider, 'openai')
    t.is(call?.model, 'gpt-4o-2024-08-06')
  },
)

test.serial('OpenAI: a streamed chat is a call of unknown usage', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  fake.openAi.willAnswer({ model: 'gpt-4o-2024-08-06', text: 'Sunny', usage: { prompt: 500, completion: 20 } })
  const stream = await openai.chat.completions.create({
    model: 'gpt-4o',
    messages: ask,
    stream: true,
    stream_options: { include_usage: true },
  })
  for await (const chunk of stream) void chunk
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.llm_calls, 1)
  t.is(told.summary.input_tokens, 0)
  t.is(ofKind(told, 'llm')[0]?.cost_usd, null)
})

const claude = 'claude-sonnet-4-6'
const price = usdPerMillion.claudeSonnet46

test.serial('Anthropic: the cache is added to the input, however small it is', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  const usage = { input: 1_000, output: 50, cacheRead: 300, cacheWrite5m: 200 }
  fake.anthropic.willAnswer({ model: claude, text: 'Let me see.', tools: [rome], usage })
  await anthropic.messages.create({ model: claude, max_tokens: 100, messages: ask })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.input_tokens, 1_500)
  t.is(told.summary.cached_tokens, 300)
  t.is(told.summary.cache_write_tokens, 200)
  const expected = usd([1_000, price.input], [300, price.cached], [200, price.write5m], [50, price.output])
  sameUsd(t, told.summary.cost_usd, expected)
  // The SDK traces itself as well, and its span may begin in the same millisecond.
  t.true(ofKind(told, 'llm').some(({ flags }) => flags.includes('usage_adjusted')))
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
  t.is(told.summary.output_tokens, 50)
  const expected = usd([10, price.input], [3_000, price.cached], [100, price.write5m], [50, price.output])
  sameUsd(t, told.summary.cost_usd, expected)
})

test.serial('agents, tools and sessions in Traceloop words around a call', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  fake.openAi.willAnswer({ model: 'gpt-4o', text: 'Sunny', usage: { prompt: 100, completion: 10 } })
  const tracer = exporting.provider.getTracer('@traceloop/node-server-sdk')
  const session = { 'traceloop.association.properties.session_id': 'session-1' }
  const agent = { 'traceloop.span.kind': 'agent', 'traceloop.entity.name': 'weather', ...session }
  await tracer.startActiveSpan('weather.agent', { attributes: agent }, async (span) => {
    const tool = {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'get_weather',
      'traceloop.entity.input': '{"city":"Rome"}',
    }
    tracer.startSpan('get_weather.tool', { attributes: tool }).end()
    await openai.chat.completions.create({ model: 'gpt-4o', messages: ask })
    span.end()
  })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.deepEqual(told.agents, ['weather'])
  t.deepEqual(told.traces[0]?.tools, ['get_weather'])
  t.deepEqual([...new Set(told.events.map((event) => event.session_id))], ['session-1'])
  t.is(told.summary.input_tokens, 100)
})
