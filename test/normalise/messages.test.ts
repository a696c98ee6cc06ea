import test from 'ava'
import fc from 'fast-check'
import type { Flag } from '../../src/event/flag.ts'
import { readMessages } from '../../src/normalise/messages/list.ts'
import { inSoak, seed } from '../_kit/soak.ts'
import { json, type Plain, read } from './_span.ts'

const inputOf = (value: unknown, flags = new Set<Flag>()) => readMessages(value, 'user', flags)
const outputOf = (value: unknown) => readMessages(json(value), 'assistant', new Set())

test('raw OpenAI chat requests and responses', (t) => {
  t.deepEqual(
    outputOf({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'gpt-4o',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            reasoning_content: 'Hm.',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: 'not json' } }],
          },
        },
      ],
      usage: { prompt_tokens: 1 },
    }),
    [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool_call', id: 'c1', name: 'f', arguments: 'not json' },
        ],
      },
    ],
  )
})

test("Koog writes the standard's roles with a capital letter, and the system prompt twice", (t) => {
  const said = (role: string, text: string) => ({ role, parts: [{ type: 'text', content: text }] })
  const { content } = read({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system_instructions': json([{ type: 'text', content: 'Be brief.' }]),
      'gen_ai.input.messages': json([said('System', 'Be brief.'), said('User', 'Hi'), said('Manager', 'Go')]),
      'gen_ai.output.messages': json([said('Assistant', 'Hello')]),
    },
  })
  t.deepEqual(content.inputMessages, [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { role: 'Manager', parts: [{ type: 'text', text: 'Go' }] },
  ])
  t.is(content.outputMessages?.[0]?.role, 'assistant')
  t.deepEqual(inputOf([{ role: 'Tool', tool_call_id: 'c1', content: 'ok' }]), [
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'ok' }] },
  ])
})

test('OpenAI responses: items with and without a role', (t) => {
  t.deepEqual(inputOf(json({ model: 'gpt-5', instructions: 'Be brief.', input: 'Hi' })), [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
  ])
  t.deepEqual(
    outputOf({
      output: [
        { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      ],
    }),
    [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
      { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'ok' }] },
    ],
  )
})

test('raw Anthropic requests and responses', (t) => {
  t.deepEqual(
    inputOf(
      json({
        model: 'claude',
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'QUJDREVG' } },
              { type: 'image', source: { type: 'url', url: 'https://img.example/b.jpg' } },
              { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'ok' }] },
            ],
          },
        ],
      }),
    ),
    [
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        parts: [
          { type: 'blob', mime_type: 'image/jpeg', bytes: 6 },
          { type: 'image', url: 'https://img.example/b.jpg' },
          { type: 'tool_result', id: 'c1', result: [{ type: 'text', text: 'ok' }] },
        ],
      },
    ],
  )
  t.deepEqual(
    outputOf({
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
      ],
    }),
    [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } },
        ],
      },
    ],
  )
})

test("OpenTelemetry's parts for tools that the provider runs name their payload as the part", (t) => {
  const payload = { type: 'code_interpreter', code: '1 + 1' }
  const result = { type: 'code_interpreter', outputs: [2] }
  const parts = [
    { type: 'server_tool_call', id: 'c1', name: 'code', server_tool_call: payload },
    { type: 'server_tool_call_response', id: 'c1', server_tool_call_response: result },
  ]
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.output.messages': json([{ role: 'assistant', parts }]),
  }
  t.deepEqual(read({ attributes }).content.outputMessages?.[0]?.parts, [
    { type: 'tool_call', id: 'c1', name: 'code', arguments: payload, provider_executed: true },
    { type: 'tool_result', id: 'c1', result },
  ])
})

test('LangChain messages by type', (t) => {
  t.deepEqual(
    inputOf(
      json([
        { type: 'human', content: 'Hi', additional_kwargs: {} },
        { type: 'ai', content: '', tool_calls: [{ name: 'f', args: {}, id: 'c1', type: 'tool_call' }] },
        { type: 'tool', content: 'ok', tool_call_id: 'c1', id: 'other' },
        { type: 'human', data: { content: 'More' } },
      ]),
    ),
    [
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: {} }] },
      { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', result: 'ok' }] },
      { role: 'user', parts: [{ type: 'text', text: 'More' }] },
    ],
  )
})

test('content of an unknown form is kept as its own text', (t) => {
  for (const text of [
    'plain',
    '{"answer": 42}',
    '[1, 2]',
    '{"role":"manager"}',
    '{"input":"x","k":1}',
    '{broken',
    '"x"',
  ]) {
    t.deepEqual(inputOf(text), [{ role: 'user', parts: [{ type: 'text', text }] }])
  }
  t.deepEqual(inputOf({ answer: 42 }), [{ role: 'user', parts: [{ type: 'text', text: '{"answer":42}' }] }])
  t.deepEqual(inputOf(json([{ role: 'user', content: [{ type: 'hologram', at: 1 }] }])), [
    { role: 'user', parts: [{ type: 'text', text: '{"type":"hologram","at":1}' }] },
  ])
  for (const nothing of ['', '[]', '{}', null, undefined]) t.deepEqual(inputOf(nothing), [])
})

test('lists and nesting are bounded', (t) => {
  const flags = new Set<Flag>()
  t.is(inputOf(json(Array.from({ length: 2_000 }, () => ({ role: 'user', content: 'x' }))), flags).length, 1_000)
  t.true(flags.has('truncated'))
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const event = read({
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.arguments': deep,
      'gen_ai.tool.call.result': `{"a":${deep}}`,
    },
  })
  t.true(event.flags.has('truncated'))
  t.notThrows(() => json(event.content))
  t.is(event.inputHash, null)
})

test('what no database takes is replaced also where JSON hides it in escapes', (t) => {
  const event = read({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages':
        '[{"role":"user","parts":[{"type":"text","content":"a\\u0000b\\ud800c\\ud83d\\ude00"}]}]',
    },
  })
  t.deepEqual(event.content.inputMessages, [
    { role: 'user', parts: [{ type: 'text', text: 'a\uFFFDb\uFFFDc\u{1F600}' }] },
  ])
  t.true(event.flags.has('text_cleaned'))
})

const names = [
  'gen_ai.operation.name',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.usage.input_tokens',
  'gen_ai.response.finish_reasons',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'ai.response.toolCalls',
  'ai.response.providerMetadata',
  'ai.prompt',
  'langfuse.observation.usage_details',
  'langfuse.observation.cost_details',
  'gcp.vertex.agent.llm_response',
  'llm.input_messages.0.message.role',
  'llm.input_messages.0.message',
  'llm.input_messages.x',
  'gen_ai.prompt.0',
  'gen_ai.prompt.0.content.1',
  'input.value',
  'langfuse.observation.completion_start_time',
  'tracewright.consumed_tool_call_ids',
  'tracewright.tool.iv',
  'events',
]
const words = [
  'chat',
  'execute_tool',
  'role',
  'content',
  'parts',
  'type',
  'text',
  'tool_call',
  'message',
  'messages',
  'image',
  'data:',
  'tool',
  '__proto__',
]

test('nothing that a sender can write makes the reading fail', (t) => {
  const { value } = fc.letrec<{ value: Plain }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...words),
      fc.oneof(
        fc.string(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.bigInt(),
        fc.uint8Array({ maxLength: 20 }),
      ) as fc.Arbitrary<Plain>,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Plain>,
      fc.json(),
    ),
  }))
  const attributes = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 })
  t.notThrows(() =>
    fc.assert(
      fc.property(attributes, fc.constantFrom('pydantic-ai', 'strands', 'x'), (given, scope) => {
        const { content } = read({
          scope,
          attributes: given,
          events: [
            { name: 'gen_ai.choice', attributes: given },
            { name: 'gen_ai.user.message', attributes: given },
            { name: 'gen_ai.client.inference.operation.details', attributes: given },
          ],
        })
        json(content)
      }),
      { numRuns: inSoak(150, 400), seed },
    ),
  )
})
