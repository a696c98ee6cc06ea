import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import * as callbacks from '@langchain/core/callbacks/manager'
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises'
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
  new LangChainInstrumentation({ tracerProvider: exporting.provider }).manuallyInstrument(callbacks)
})
test.after.always(async () => {
  await exporting?.stop()
  await fake?.stop()
  await service?.stop()
})

/** LangChain reports its runs after their answers. */
async function flush(): Promise<void> {
  await awaitAllCallbacks()
  await exporting.flush()
}

const openModel = () =>
  new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', configuration: { baseURL: fake.openAiUrl }, maxRetries: 0 })

const getWeather = tool(async ({ city }: { city: string }) => `20 degrees in ${city}`, {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})

const openAgent = () =>
  createAgent({ model: openModel(), tools: [getWeather], name: 'weather_agent', systemPrompt: 'You help.' })

const ask = { messages: [{ role: 'user' as const, content: 'How is the weather in Rome?' }] }
const { input, cached, output } = usdPerMillion.gpt4o

test.serial('a tool-calling agent: two calls, one tool, one agent, whatever graph is around them', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  fake.openAi.willAnswer(
    {
      model: 'gpt-4o-2024-08-06',
      tools: [{ id: 'call_1', name: 'get_weather', arguments: { city: 'Rome' } }],
      usage: { prompt: 1_500, completion: 30, cached: 1_024 },
    },
    {
      model: 'gpt-4o-2024-08-06',
      text: 'It is warm',
      usage: { prompt: 1_600, completion: 40, cached: 1_280, reasoning: 5 },
    },
  )
  const result = await openAgent().invoke(ask, { metadata: { session_id: 'session-1', user_id: 'user-1' } })
  t.is(result.messages.at(-1)?.content, 'It is warm')
  await flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.llm_calls, 2)
  t.is(told.summary.input_tokens, 1_500 + 1_600)
  t.is(told.summary.output_tokens, 30 + 40)
  t.is(told.summary.cached_tokens, 1_024 + 1_280)
  t.is(told.summary.reasoning_tokens, 5)
  sameUsd(t, told.summary.cost_usd, usd([3_100 - 2_304, input], [2_304, cached], [70, output]))
  t.deepEqual(told.agents, ['weather_agent'])
  t.is(told.traces[0]?.tool_calls, 1)
  t.deepEqual(told.traces[0]?.tools, ['get_weather'])
  t.is(told.traces[0]?.session_id, 'session-1')
  t.is(told.traces[0]?.user_id, 'user-1')
  t.deepEqual(
    ofKind(told, 'llm').map((event) => event.provider),
    ['openai', 'openai'],
  )
  const [call] = ofKind(told, 'tool')
  t.is(call?.tool_call_id, 'call_1')
  t.regex(call?.input_hash ?? '', /^sha256:/)
  const detail = await service.call(
    'GET',
    `/v1/workspaces/${tenant.workspaceId}/events/${call?.trace_id}.${call?.span_id}`,
    {
      token: tenant.accessToken,
    },
  )
  t.is((detail.json as { tool_result: unknown }).tool_result, '20 degrees in Rome')
})

test.serial('a streamed model call', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  fake.openAi.willAnswer({ model: 'gpt-4o-2024-08-06', text: 'Hello you', usage: { prompt: 500, completion: 20 } })
  let text = ''
  for await (const chunk of await openModel().stream('Hi')) text += chunk.text
  t.is(text, 'Hello you')
  await flush()

  const told = await readBack(service, tenant)
  t.is(told.summary.llm_calls, 1)
  t.is(told.summary.input_tokens, 500)
  sameUsd(t, told.summary.cost_usd, usd([500, input], [20, output]))
})

test.serial('a provider that refuses makes the trace an error that costs nothing', async (t) => {
  const tenant = await service.addWorkspace()
  exporting.sendAs(tenant)
  fake.openAi.willAnswer({ status: 400, message: 'no such model' })
  await t.throwsAsync(async () => await openAgent().invoke(ask), { message: /no such model/ })
  await flush()

  const told = await readBack(service, tenant)
  t.is(told.traces[0]?.status, 'error')
  t.is(told.summary.input_tokens, 0)
  t.is(told.summary.cost_usd, 0)
  t.is(ofKind(told, 'llm')[0]?.status, 'error')
})

// A framework and its client, each with its own instrumentation.
test.serial(
  'a call that LangChain and the OpenAI client both tell of in one trace counts once, as the agent of LangChain',
  async (t) => {
    // Applies to the rest of the file: every call of the client is also reported by this instrumentation.
    new OpenAIInstrumentation({ tracerProvider: exporting.provider }).manuallyInstrument(OpenAI)
    const tenant = await service.addWorkspace()
    exporting.sendAs(tenant)
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
      await openAgent().invoke(ask)
      request.end()
    })
    await flush()

    const told = await readBack(service, tenant)
    t.is(ofKind(told, 'llm').length, 4)
    t.is(told.summary.llm_calls, 2)
    t.is(told.summary.input_tokens, 3_100)
    t.is(told.summary.output_tokens, 70)
    sameUsd(t, told.summary.cost_usd, usd([3_100 - 1_024, input], [1_024, cached], [70, output]))
  },
)
