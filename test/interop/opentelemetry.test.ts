import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'
import { startExporting } from './_export.ts'
import { sameUsd, usd, usdPerMillion } from './_price.ts'
import { ofKind, readBack } from './_read.ts'

let service: TestService
const contexts = startExporting({ baseUrl: 'http://127.0.0.1:1', serviceName: 'unused', global: true })

test.before(async () => {
  service = await startService()
})
test.after.always(async () => {
  await contexts.stop()
  await service?.stop()
})

const callAttributes = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.usage.input_tokens': 1_000,
  'gen_ai.usage.output_tokens': 100,
  'gen_ai.usage.cache_read.input_tokens': 400,
}

/** An agent span that repeats its call's usage, as the conventions allow. */
function runAgent(tracer: Tracer): void {
  const attributes = {
    ...callAttributes,
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'weather',
    'gen_ai.conversation.id': 'conversation-1',
    'user.id': 'user-1',
  }
  tracer.startActiveSpan('invoke_agent weather', { attributes }, (agent) => {
    tracer.startSpan('chat gpt-4o', { kind: SpanKind.CLIENT, attributes: callAttributes }).end()
    agent.end()
  })
}

/** A request outside of any agent, whose call fails. */
function serveRequest(tracer: Tracer): void {
  tracer.startActiveSpan('GET /ask', { kind: SpanKind.SERVER }, (root) => {
    const call = tracer.startSpan('chat gpt-4o', {
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.conversation.id': 'conversation-2',
      },
    })
    call.recordException(new Error('the connection broke'))
    call.setStatus({ code: SpanStatusCode.ERROR, message: 'the connection broke' })
    call.end()
    root.end()
  })
}

for (const { format, gzip } of [
  { format: 'protobuf', gzip: true },
  { format: 'protobuf', gzip: false },
  { format: 'json', gzip: true },
  { format: 'json', gzip: false },
] as const) {
  test(`the SDK's own exporter delivers ${format} ${gzip ? 'with' : 'without'} gzip`, async (t) => {
    const tenant = await service.addWorkspace()
    const exporting = startExporting({ baseUrl: service.baseUrl, serviceName: 'weather-service', format, gzip })
    exporting.sendAs(tenant)
    const tracer = exporting.provider.getTracer('my-agent', '1.2.3')
    runAgent(tracer)
    serveRequest(tracer)
    await exporting.stop()

    const told = await readBack(service, tenant, 2)
    t.is(told.summary.total_events, 4)
    t.is(told.summary.llm_calls, 2)
    t.is(told.summary.input_tokens, 1_000)
    t.is(told.summary.output_tokens, 100)
    t.is(told.summary.cached_tokens, 400)
    t.is(told.summary.sessions, 2)
    t.is(told.summary.errors, 1)
    const { input, cached, output } = usdPerMillion.gpt4o
    sameUsd(t, told.summary.cost_usd, usd([600, input], [400, cached], [100, output]))
    t.deepEqual(told.agents, ['weather', 'weather-service'])
    const failed = ofKind(told, 'llm').find((event) => event.status === 'error')
    t.is(failed?.agent_name, 'weather-service')
    t.is(failed?.session_id, 'conversation-2')
    t.is(failed?.input_tokens, null)
    t.is(told.traces.find((trace) => trace.name === 'invoke_agent weather')?.user_id, 'user-1')
  })
}

test.serial('the environment variables of the standard are all the settings that an exporter needs', async (t) => {
  const tenant = await service.addWorkspace()
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `${service.baseUrl}/v1/otlp`
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = `Authorization=Bearer%20${tenant.key}`
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] })
  runAgent(provider.getTracer('my-agent'))
  await provider.shutdown()
  const told = await readBack(service, tenant)
  t.is(told.summary.input_tokens, 1_000)
})
