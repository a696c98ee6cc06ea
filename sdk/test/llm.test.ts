import test, { type ExecutionContext } from 'ava'
import type { Tracewright } from '../src/tracewright.ts'
import { makeClient } from './_client.ts'
import { type FakeService, startFakeService } from './_service.ts'

async function open(t: ExecutionContext): Promise<{ service: FakeService; client: Tracewright }> {
  const service = await startFakeService()
  const client = makeClient(service.url)
  t.teardown(async () => {
    await client.shutdown()
    await service.stop()
  })
  return { service, client }
}

const openAi = {
  id: 'chatcmpl-1',
  model: 'gpt-4.1-mini-2025-04-14',
  choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'It is Gunnhildur.' } }],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 5 },
  },
}

test('the span of a model call has its tokens and evidence, and no content', async (t) => {
  const { service, client } = await open(t)
  const messages = [
    { role: 'user', content: 'Who is the mayor?' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'search', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"mayor":"Gunnhildur"}' },
    { role: 'tool', tool_call_id: 'call_2', content: '{"weather":"drizzle"}' },
  ]
  const request = { provider: 'openai', model: 'gpt-4.1-mini', messages, system: 'Answer kindly' }
  t.is(await client.llm(request, async () => openAi), openAi)
  const [span] = await service.received('chat gpt-4.1-mini')
  t.deepEqual(span?.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4.1-mini',
    'gen_ai.response.id': 'chatcmpl-1',
    'gen_ai.response.model': 'gpt-4.1-mini-2025-04-14',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.usage.cache_read.input_tokens': 64,
    'gen_ai.usage.reasoning.output_tokens': 5,
    'tracewright.consumed_tool_call_ids': ['call_1', 'call_2'],
    'tracewright.read_tool_call_ids': ['call_1'],
  })
  for (const bytes of service.sent) for (const word of ['Gunnhildur', 'mayor', 'kindly']) t.false(bytes.includes(word))
})

test('the tokens of Anthropic are the whole prompt, cached or not', async (t) => {
  const { service, client } = await open(t)
  const response = {
    id: 'msg_1',
    model: 'claude-sonnet-4-5',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'Hello' }],
    usage: {
      input_tokens: 10,
      output_tokens: 3,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 7,
      output_tokens_details: { thinking_tokens: 2 },
    },
  }
  await client.llm({ provider: 'anthropic', model: 'claude-sonnet-4-5', messages: [] }, () => response)
  const [span] = await service.received('chat claude-sonnet-4-5')
  t.like(span?.attributes, {
    'gen_ai.usage.input_tokens': 117,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.usage.reasoning.output_tokens': 2,
    'gen_ai.usage.cache_read.input_tokens': 100,
    'gen_ai.usage.cache_write.input_tokens': 7,
    'gen_ai.response.finish_reasons': ['end_turn'],
  })
})

test('an answer of the OpenAI responses interface is understood', async (t) => {
  const { service, client } = await open(t)
  const response = {
    id: 'resp_1',
    model: 'gpt-5',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
    usage: { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } },
  }
  await client.llm({ provider: 'openai', model: 'gpt-5', messages: 'Hi' }, () => response)
  const [span] = await service.received('chat gpt-5')
  t.like(span?.attributes, {
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.cache_read.input_tokens': 1,
    'gen_ai.response.finish_reasons': ['completed'],
  })
})

test('a failed call rethrows its error, and its span has the type of the error', async (t) => {
  const { service, client } = await open(t)
  const thrown = Object.assign(new Error('too many requests of Mrs. Smith'), { name: 'RateLimitError' })
  const failing = client.llm({ provider: 'p', model: 'm', messages: [] }, () => Promise.reject(thrown))
  t.is(await t.throwsAsync(failing), thrown)
  const [span] = await service.received('chat m')
  t.true(span?.isError)
  t.is(span?.attributes['error.type'], 'RateLimitError')
  t.false(service.sent.some((bytes) => bytes.includes('Smith')))
})

test('an answer of another shape is read by the given function, whose errors do no harm', async (t) => {
  const { service, client } = await open(t)
  const request = { provider: 'p', model: 'own', messages: [] }
  const read = (answer: { n: number }) => ({ usage: { outputTokens: answer.n } })
  t.deepEqual(await client.llm(request, () => ({ n: 7 }), read), { n: 7 })
  const broken = () => {
    throw new Error('unknown')
  }
  t.deepEqual(await client.llm(request, () => ({ n: 8 }), broken), { n: 8 })
  const spans = await service.received('chat own', 2)
  t.is(spans[0]?.attributes['gen_ai.usage.output_tokens'], 7)
  t.is(client.stats().faults, 1)
})

test('a call that has ended is recorded with its times', async (t) => {
  const { service, client } = await open(t)
  const endMs = Date.now()
  const answer = { output: 'x', usage: { inputTokens: 1, outputTokens: 2 } }
  client.recordLlm({ provider: 'p', model: 'streamed', messages: [] }, answer, { startMs: endMs - 1_500, endMs })
  client.recordLlm(
    { provider: 'p', model: 'streamed', messages: [] },
    {},
    { startMs: endMs - 10, endMs, error: new RangeError() },
  )
  const spans = await service.received('chat streamed', 2)
  t.is(spans[0]?.durationMs, 1_500)
  t.is(spans[0]?.attributes['gen_ai.usage.input_tokens'], 1)
  t.true(spans[1]?.isError)
})

test('a piece of a result that the program passes to a tool counts as read, and the next model call reports it', async (t) => {
  const { service, client } = await open(t)
  const search = client.tool('search', async (_input: { q: string }) => ({ mayor: 'Gunnhildur' }))
  const greet = client.tool('greet', async (_input: { name: string }) => 'done')
  await client.agent('guide', {}, async () => {
    const { mayor } = await search({ q: 'mayor' }, { callId: 'call_1' })
    await greet({ name: mayor }, { callId: 'call_2' })
    const messages = [{ role: 'tool', tool_call_id: 'call_1', content: '{"mayor":"Gunnhildur"}' }]
    await client.llm({ provider: 'p', model: 'm', messages }, () => 'Bye')
  })
  const [span] = await service.received('chat m')
  t.deepEqual(span?.attributes['tracewright.read_tool_call_ids'], ['call_1'])
})

test('a result counts as read if a later tool call had an input without a text, and also if its own input had none', async (t) => {
  const { service, client } = await open(t)
  const hostile = {
    get q(): string {
      throw new Error('no q')
    },
  }
  const search = client.tool('search', async (_input: unknown) => ({ mayor: 'Gunnhildur' }))
  const greet = client.tool('greet', async (_input: unknown) => 'done')
  const inputs: [asked: unknown, greeted: (mayor: string) => unknown][] = [
    [{ q: 'mayor' }, (mayor) => new Map([['name', mayor]])],
    [{ q: 'mayor' }, () => hostile],
    [hostile, (mayor) => ({ name: mayor })],
  ]
  for (const [nth, [asked, greeted]] of inputs.entries()) {
    await client.agent('guide', {}, async () => {
      const { mayor } = await search(asked, { callId: 'call_1' })
      await greet(greeted(mayor), { callId: 'call_2' })
      const messages = [{ role: 'tool', tool_call_id: 'call_1', content: '{"mayor":"Gunnhildur"}' }]
      await client.llm({ provider: 'p', model: `m${nth}`, messages }, () => 'Bye')
    })
    const [span] = await service.received(`chat m${nth}`)
    t.deepEqual(span?.attributes['tracewright.read_tool_call_ids'], ['call_1'], `${nth}`)
  }
})

class Handle {
  readonly id = 'stream-1'
}
const unknown: [string, unknown][] = [
  ['is streamed', (async function* () {})()],
  ['is an object of a class that the library does not know', new Handle()],
  ['is nothing', undefined],
  ['of OpenAI is queued', { id: 'resp_1', status: 'queued', output: [] }],
  ['of OpenAI is in progress', { id: 'resp_1', status: 'in_progress', output: [] }],
]
const results = [{ role: 'tool', tool_call_id: 'call_1', content: '{"mayor":"Gunnhildur"}' }]

for (const [what, answer] of unknown) {
  test(`every result in the prompt counts as read where the answer ${what}`, async (t) => {
    const { service, client } = await open(t)
    t.is(await client.llm({ provider: 'p', model: 'm', messages: results }, () => answer), answer)
    const [span] = await service.received('chat m')
    t.deepEqual(span?.attributes['tracewright.consumed_tool_call_ids'], ['call_1'])
    t.deepEqual(span?.attributes['tracewright.read_tool_call_ids'], ['call_1'])
  })
}

const unreadable: [string, () => object][] = [
  [
    'the given function throws',
    () => {
      throw new Error('unknown')
    },
  ],
  ['the given function returns nothing', () => undefined as unknown as object],
  ['the output is no text', () => ({ output: 7 })],
  [
    'the output throws when it is read',
    () => ({
      get output(): string {
        throw new Error('no output')
      },
    }),
  ],
]
for (const [what, read] of unreadable) {
  test(`every result in the prompt counts as read where ${what}`, async (t) => {
    const { service, client } = await open(t)
    const circular: { self?: object } = {}
    circular.self = circular
    const request = { provider: 'p', model: 'm', messages: results, system: circular }
    t.is(await client.llm(request, () => 'Bye', read), 'Bye')
    const [span] = await service.received('chat m')
    t.deepEqual(span?.attributes['tracewright.consumed_tool_call_ids'], ['call_1'])
    t.deepEqual(span?.attributes['tracewright.read_tool_call_ids'], ['call_1'])
  })
}

test('every result in the prompt counts as read where a recorded answer has no output, and none where it is empty', async (t) => {
  const { service, client } = await open(t)
  const times = { startMs: 1_000, endMs: 2_000 }
  client.recordLlm({ provider: 'p', model: 'silent', messages: results }, { usage: { outputTokens: 5 } }, times)
  client.recordLlm({ provider: 'p', model: 'empty', messages: results }, { output: '' }, times)
  const [silent] = await service.received('chat silent')
  t.deepEqual(silent?.attributes['tracewright.read_tool_call_ids'], ['call_1'])
  const [empty] = await service.received('chat empty')
  t.false('tracewright.read_tool_call_ids' in (empty?.attributes ?? {}))
})
