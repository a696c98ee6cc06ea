import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel'
import { embed, embedMany, generateText, stepCountIs, streamText, type Telemetry, tool } from 'ai'
import test from 'ava'
import { z } from 'zod'
import { startService, type TestService } from '../_kit/serve.ts'
import { type Exporting, startExporting } from './_export.ts'
import { sameUsd, usd, usdPerMillion } from './_price.ts'
import { ofKind, readBack } from './_read.ts'
import { makeEmbeddingModel, makeLanguageModel } from './fake/vercel-model.ts'

let service: TestService
let exporting: Exporting

test.before(async () => {
  service = await startService()
  exporting = startExporting({ baseUrl: service.baseUrl, serviceName: 'vercel-app', global: true, gzip: true })
})
test.after.always(async () => {
  await exporting?.stop()
  await service?.stop()
})

const getWeather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, celsius: 20 }),
})

const { input, cached, output } = usdPerMillion.gpt4o

// The telemetry of the AI SDK since version 7, with the context of the application, and that of versions up to 6.
const dialects: readonly { name: string; make: () => Telemetry }[] = [
  { name: 'current', make: () => new OpenTelemetry({ runtimeContext: true, usage: true }) },
  { name: 'legacy', make: () => new LegacyOpenTelemetry() },
]

for (const { name, make } of dialects) {
  const settings = (functionId: string) => ({
    functionId,
    integrations: [make()],
    includeRuntimeContext: { sessionId: true, userId: true },
  })

  test.serial(`AI SDK, ${name}: generateText with a tool is two calls, one tool, one agent`, async (t) => {
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
    const { model, script } = makeLanguageModel()
    const model0 = 'gpt-4o-2024-08-06'
    script.willAnswer(
      {
        model: model0,
        tools: [{ id: 'call_1', name: 'get_weather', arguments: { city: 'Rome' } }],
        usage: { prompt: 1_200, completion: 40, cached: 1_000, reasoning: 10 },
      },
      { model: model0, text: 'Sunny', usage: { prompt: 1_300, completion: 50, cached: 1_100 } },
    )
    await generateText({
      model,
      prompt: 'How is the weather in Rome?',
      tools: { get_weather: getWeather },
      stopWhen: stepCountIs(3),
      runtimeContext: { sessionId: 'session-1', userId: 'user-1' },
      telemetry: settings('weather-agent'),
    })
    await exporting.flush()

    const told = await readBack(service, tenant)
    t.is(told.summary.llm_calls, 2)
    t.is(told.summary.input_tokens, 1_200 + 1_300)
    t.is(told.summary.output_tokens, 40 + 50)
    t.is(told.summary.cached_tokens, 1_000 + 1_100)
    t.is(told.summary.reasoning_tokens, 10)
    sameUsd(t, told.summary.cost_usd, usd([400, input], [2_100, cached], [90, output]))
    t.deepEqual(told.agents, ['weather-agent'])
    t.is(told.traces[0]?.tool_calls, 1)
    t.deepEqual(told.traces[0]?.tools, ['get_weather'])
    t.deepEqual(told.traces[0]?.models, [model0])
    t.is(told.traces[0]?.session_id, 'session-1')
    t.is(told.traces[0]?.user_id, 'user-1')
    const [call] = ofKind(told, 'tool')
    t.is(call?.tool_call_id, 'call_1')
    t.regex(call?.input_hash ?? '', /^sha256:/)
    t.deepEqual(
      ofKind(told, 'llm').map((event) => event.provider),
      ['openai', 'openai'],
    )
  })

  test.serial(`AI SDK, ${name}: streamText tells how soon the first chunk came`, async (t) => {
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
    const { model, script } = makeLanguageModel()
    script.willAnswer({ model: 'gpt-4o-2024-08-06', text: 'Hello', usage: { prompt: 700, completion: 30 } })
    await streamText({ model, prompt: 'Hi', telemetry: settings('greeter') }).consumeStream()
    await exporting.flush()

    const told = await readBack(service, tenant)
    t.is(told.summary.llm_calls, 1)
    t.is(told.summary.input_tokens, 700)
    sameUsd(t, told.summary.cost_usd, usd([700, input], [30, output]))
    t.deepEqual(told.agents, ['greeter'])
    const [call] = ofKind(told, 'llm')
    t.true(call !== undefined && call.ttft_ms !== null && call.ttft_ms > 0)
  })

  test.serial(`AI SDK, ${name}: an embedding counts once, however many spans tell of it`, async (t) => {
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
    await embed({ model: makeEmbeddingModel(11, false), value: 'x', telemetry: settings('indexer') })
    const several = { model: makeEmbeddingModel(11, true), values: ['x', 'y', 'z'], telemetry: settings('indexer') }
    await embedMany(several)
    await exporting.flush()

    const told = await readBack(service, tenant, 2)
    t.is(told.summary.input_tokens, 4 * 11)
    t.is(told.summary.llm_calls, 0)
    sameUsd(t, told.summary.cost_usd, usd([44, usdPerMillion.embedding3Small.input]))
  })

  test.serial(`AI SDK, ${name}: a failed call is an error that costs nothing`, async (t) => {
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
    const { model, script } = makeLanguageModel()
    script.willAnswer({ status: 500, message: 'the model is overloaded' })
    const call = generateText({ model, prompt: 'Hi', maxRetries: 0, telemetry: settings('greeter') })
    await t.throwsAsync(async () => await call, { message: /overloaded/ })
    await exporting.flush()

    const told = await readBack(service, tenant)
    t.is(told.traces[0]?.status, 'error')
    t.is(told.summary.input_tokens, 0)
    t.is(told.summary.cost_usd, 0)
    t.is(ofKind(told, 'llm')[0]?.status, 'error')
  })
}
