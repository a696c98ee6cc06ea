import { context, ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import test, { type ExecutionContext } from 'ava'
import type { Tracewright, TracewrightOptions } from '../src/tracewright.ts'
import { makeClient } from './_client.ts'
import { type FakeService, startFakeService } from './_service.ts'

async function open(
  t: ExecutionContext,
  options: Partial<TracewrightOptions> = {},
): Promise<{ service: FakeService; client: Tracewright }> {
  const service = await startFakeService()
  const client = makeClient(service.url, options)
  t.teardown(async () => {
    await client.shutdown()
    await service.stop()
  })
  return { service, client }
}

test.serial('every span inside a run is its child, with its agent, session and task type', async (t) => {
  const { service, client } = await open(t)
  const tool = client.tool('inner', async (input: number) => input)
  const gave = await client.agent('planner', { sessionId: 's1', taskType: 'plan' }, async () => {
    await new Promise((turn) => setImmediate(turn))
    await client.agent('helper', {}, () => tool(1))
    await client.llm({ provider: 'p', model: 'm', messages: [] }, () => 'x')
    return 7
  })
  t.is(gave, 7)
  const [outer] = await service.received('invoke_agent planner')
  const [helper] = await service.received('invoke_agent helper')
  const [inner] = await service.received('execute_tool inner')
  const [chat] = await service.received('chat m')
  t.is(outer?.parentSpanId, '')
  t.is(helper?.parentSpanId, outer?.spanId)
  t.is(inner?.parentSpanId, helper?.spanId)
  t.is(chat?.parentSpanId, outer?.spanId)
  t.is(new Set([outer, helper, inner, chat].map((span) => span?.traceId)).size, 1)
  for (const span of [outer, helper, inner, chat])
    t.like(span?.attributes, { 'gen_ai.conversation.id': 's1', 'tracewright.task_type': 'plan' })
  t.is(inner?.attributes['gen_ai.agent.name'], 'helper')
  t.is(chat?.attributes['gen_ai.agent.name'], 'planner')
})

test.serial('runs side by side do not mix', async (t) => {
  const { service, client } = await open(t)
  const tool = client.tool('side', async (input: string) => {
    await new Promise((turn) => setTimeout(turn, 5))
    return input
  })
  await Promise.all(['a', 'b', 'c'].map((name) => client.agent(name, { sessionId: name }, () => tool(name))))
  const spans = await service.received('execute_tool side', 3)
  for (const { attributes } of spans) t.is(attributes['gen_ai.agent.name'], attributes['gen_ai.conversation.id'])
  t.is(new Set(spans.map(({ traceId }) => traceId)).size, 3)
})

test.serial('an error passes through the run unchanged', async (t) => {
  const { service, client } = await open(t)
  const thrown = new SyntaxError('no')
  t.is(await t.throwsAsync(client.agent('failing', {}, () => Promise.reject(thrown))), thrown)
  const [span] = await service.received('invoke_agent failing')
  t.true(span?.isError)
  t.is(span?.attributes['error.type'], 'SyntaxError')
})

test.serial('no global is changed, and no environment variable has an effect', async (t) => {
  const names = {
    OTEL_EXPORTER_OTLP_HEADERS: 'x-other-backend=secret',
    OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '10',
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '1',
    OTEL_SPAN_EVENT_COUNT_LIMIT: '1',
    OTEL_SPAN_LINK_COUNT_LIMIT: '1',
    OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT: '1',
    OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT: '1',
    OTEL_TRACES_SAMPLER: 'always_off',
    OTEL_SDK_DISABLED: 'true',
  }
  for (const [name, value] of Object.entries(names)) process.env[name] = value
  t.teardown(() => {
    for (const name of Object.keys(names)) delete process.env[name]
  })
  const { service, client } = await open(t)
  await client.agent('quiet', {}, async () => {
    t.is(context.active(), ROOT_CONTEXT)
    await client.tool('long', async (input: string) => input, { attest: true })('x'.repeat(1_000))
  })
  t.is(trace.getTracer('other').startSpan('x').isRecording(), false)
  const attributes = { a: 1, b: 2 }
  const own = client.tracer.startSpan('own', { attributes }) as unknown as ReadableSpan & Span
  const link = { context: own.spanContext(), attributes }
  own.addEvent('one', attributes).addEvent('two', attributes).addLinks([link, link])
  t.deepEqual(own.attributes, attributes)
  for (const held of [own.events, own.links]) {
    const found = held.map((one) => one.attributes)
    t.deepEqual(found, [attributes, attributes])
  }
  const [span] = await service.received('execute_tool long')
  t.true(String(span?.attributes['tracewright.tool.ciphertext']).length > 1_000)
  t.true(service.headers.length > 1)
  t.false(service.headers.some((headers) => 'x-other-backend' in headers))
})

test.serial('registered globally, it is the provider of the process, and keeps its contexts', async (t) => {
  const { service, client } = await open(t, { registerGlobally: true })
  t.teardown(() => {
    trace.disable()
    context.disable()
  })
  await client.agent('outer', {}, async () => {
    await new Promise((turn) => setImmediate(turn))
    trace.getTracer('other').startSpan('by another').end()
  })
  await trace.getTracer('other').startActiveSpan('around', async (span) => {
    await client.tool('within', async (input: number) => input)(1)
    span.end()
  })
  const [outer] = await service.received('invoke_agent outer')
  const [other] = await service.received('by another')
  t.is(other?.parentSpanId, outer?.spanId)
  const [around] = await service.received('around')
  const [within] = await service.received('execute_tool within')
  t.is(within?.parentSpanId, around?.spanId)
})

test.serial('if the context manager of the application throws, calls run, and are recorded in their run', async (t) => {
  const theirs = new AsyncLocalStorageContextManager().enable()
  theirs.active = theirs.with = () => {
    throw new RangeError('no context')
  }
  context.setGlobalContextManager(theirs)
  t.teardown(() => context.disable())
  const { service, client } = await open(t)
  const tool = client.tool('inner', async (input: number) => input)
  t.is(await client.agent('outer', {}, () => tool(1)), 1)
  t.is(await client.llm({ provider: 'p', model: 'm', messages: [] }, () => 'x'), 'x')
  // The client sends nothing meanwhile.
  context.disable()
  const [outer] = await service.received('invoke_agent outer')
  const [inner] = await service.received('execute_tool inner')
  t.is(inner?.parentSpanId, outer?.spanId)
  t.is((await service.received('chat m')).length, 1)
  t.true(client.stats().faults > 0)
})

test.serial('if the application has its own context manager, both see every span', async (t) => {
  const theirs = new BasicTracerProvider()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  t.teardown(() => context.disable())
  const { service, client } = await open(t)
  const outside = theirs.getTracer('theirs').startSpan('request')
  await context.with(trace.setSpan(context.active(), outside), async () => {
    await client.agent('inside', {}, async () => {
      await new Promise((turn) => setImmediate(turn))
      await client.tool('deep', async (input: number) => {
        const seen = theirs.getTracer('theirs').startSpan('query') as unknown as { parentSpanContext?: SpanContext }
        t.is(seen.parentSpanContext?.traceId, outside.spanContext().traceId)
        t.not(seen.parentSpanContext?.spanId, outside.spanContext().spanId)
        return input
      })(1)
    })
  })
  const [agent] = await service.received('invoke_agent inside')
  const [tool] = await service.received('execute_tool deep')
  t.is(agent?.parentSpanId, outside.spanContext().spanId)
  t.is(tool?.parentSpanId, agent?.spanId)
})
