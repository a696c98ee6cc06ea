// A framework and the client under it, each with an instrumentation of its own: every call is told twice.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import * as callbacks from '@langchain/core/callbacks/manager'
import { ChatOpenAI } from '@langchain/openai'
import test from 'ava'
import { createAgent, tool } from 'langchain'
import OpenAI from 'openai'
import { z } from 'zod'
import { startService, type TestService } from '../_kit/serve.ts'
import { type Exporting, startExporting } from './_export.ts'
import { sameUsd, usd, usdPerMillion } from './_price.ts'
import { ofKind, readBack } from './_read.ts'
import { type FakeProviders, startFakeProviders } from './fake/providers.ts'

let service: TestService
let exporting: Exporting
let fake: FakeProviders

test.before(async () => {
  service = await startService()
  fake = await startFakeProviders()
  exporting = startExporting({ baseUrl: service.baseUrl, serviceName: 'langchain-app', global: true })
  const { provider: tracerProvider } = exporting
  new LangChainInstrumentation({ tracerProvider }).manuallyInstrument(callbacks)
  new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(OpenAI)
})
test.after.always(async () => {
  await exporting?.stop()
  await fake?.stop()
  await service?.stop()
})

test('a call that LangChain and the OpenAI client both tell of in one trace counts once, as the agent of LangChain', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  const getWeather = tool(async ({ city }: { city: string }) => `20 degrees in ${city}`, {
    name: 'get_weather',
    description: 'The weather of a city',
    schema: z.object({ city: z.string() }),
  })
  const agent = createAgent({
    model: new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', configuration: { baseURL: fake.openAiUrl } }),
    tools: [getWeather],
    name: 'weather_agent',
  })
  fake.openAi.willAnswer(
    {
      model: 'gpt-4o-2024-08-06',
      tools: [{ id: 'call_1', name: 'get_weather', arguments: { city: 'Rome' } }],
      usage: { prompt: 1_500, completion: 30, cached: 1_024 },
    },
    { model: 'gpt-4o-2024-08-06', text: 'Warm', usage: { prompt: 1_600, completion: 40 } },
  )
  const tracer = exporting.provider.getTracer('web-server')
  await tracer.startActiveSpan('POST /ask', async (request) => {
    await agent.invoke({ messages: [{ role: 'user', content: 'How is the weather in Rome?' }] })
    request.end()
  })
  await exporting.flush()

  const told = await readBack(service, tenant)
  t.is(ofKind(told, 'llm').length, 4)
  t.is(told.summary.llm_calls, 2)
  t.is(told.summary.input_tokens, 3_100)
  t.is(told.summary.output_tokens, 70)
  const { input, cached, output } = usdPerMillion.gpt4o
  sameUsd(t, told.summary.cost_usd, usd([3_100 - 1_024, input], [1_024, cached], [70, output]))
})
