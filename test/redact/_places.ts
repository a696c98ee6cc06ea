// The places in which dialects carry content: one span for each place, with the given text in it.
import type { SpanGiven } from '../normalise/_span.ts'

const json = JSON.stringify
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'send' }

/** Messages with the text as plain text, in the arguments of a call, which are JSON in JSON, and in its result. */
const messages = (text: string) => [
  { role: 'user', content: text },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send', arguments: json({ note: text, n: 1 }) } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: json({ deep: json([{ deeper: text }]) }) },
]
const parts = (text: string) => [
  { role: 'user', parts: [{ type: 'text', content: text }] },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', content: text },
      { type: 'tool_call', id: 'c1', name: 'send', arguments: { list: [{ note: text }] } },
      { type: 'tool_call_response', id: 'c1', response: { note: text } },
    ],
  },
]

type Place = (text: string) => SpanGiven
const inModel = (attributes: NonNullable<SpanGiven['attributes']>, more: SpanGiven = {}): SpanGiven => ({
  ...more,
  attributes: { ...chat, ...attributes },
})
const inTool = (attributes: NonNullable<SpanGiven['attributes']>, more: SpanGiven = {}): SpanGiven => ({
  ...more,
  attributes: { ...tool, ...attributes },
})

export const places: Readonly<Record<string, Place>> = {
  'OpenTelemetry messages': (text) =>
    inModel({ 'gen_ai.input.messages': json(parts(text)), 'gen_ai.output.messages': json(parts(text)) }),
  'OpenTelemetry messages as maps': (text) => inModel({ 'gen_ai.input.messages': parts(text) }),
  'OpenTelemetry system instructions': (text) =>
    inModel({ 'gen_ai.system_instructions': json([{ type: 'text', content: text }]) }),
  'OpenTelemetry events': (text) =>
    inModel(
      {},
      {
        events: [
          { name: 'gen_ai.user.message', attributes: { content: text } },
          { name: 'gen_ai.tool.message', attributes: { 'gen_ai.event.content': json({ content: json({ a: text }) }) } },
          { name: 'gen_ai.choice', attributes: { message: json({ content: text }), index: 0 } },
        ],
      },
    ),
  'OpenTelemetry details event': (text) =>
    inModel(
      {},
      {
        events: [
          {
            name: 'gen_ai.client.inference.operation.details',
            attributes: { 'gen_ai.input.messages': parts(text) },
          },
        ],
      },
    ),
  'OpenAI requests': (text) => inModel({ 'input.value': json({ model: 'gpt-4o', messages: messages(text) }) }),
  'spaced JSON': (text) => inModel({ 'input.value': json({ messages: messages(text) }, null, 2) }),
  OpenInference: (text) =>
    inModel({
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': text,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'send',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': json({ to: [text] }),
    }),
  Traceloop: (text) =>
    inModel({
      'llm.request.type': 'chat',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': json([{ type: 'text', text }]),
      'gen_ai.completion.0.content': text,
    }),
  'Traceloop entities': (text) => ({
    attributes: {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'send',
      'traceloop.entity.input': json({ args: [text] }),
      'traceloop.entity.output': json(text),
    },
  }),
  Vercel: (text) =>
    inModel({
      'ai.prompt.messages': json([{ role: 'user', content: [{ type: 'text', text }] }]),
      'ai.response.text': text,
      'ai.response.toolCalls': json([{ toolCallId: 'c', toolName: 'send', args: json({ note: text }) }]),
    }),
  Sentry: (text) => inModel({ 'gen_ai.request.messages': json(messages(text)), 'gen_ai.response.text': json([text]) }),
  Langfuse: (text) =>
    inModel({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': json({ messages: messages(text) }),
      'langfuse.observation.output': json({ content: text }),
    }),
  'Pydantic AI': (text) =>
    inModel({ all_messages_events: json(messages(text)), final_result: text }, { scope: 'pydantic-ai' }),
  'Google ADK': (text) =>
    inModel({ 'gcp.vertex.agent.llm_request': json({ contents: [{ role: 'user', parts: [{ text }] }] }) }),
  'an unknown form': (text) => inModel({ 'genkit:input': json({ some: { thing: [1, text] } }), 'genkit:output': text }),
  'tool arguments and results': (text) =>
    inTool({
      'gen_ai.tool.call.arguments': json({ note: text }),
      'gen_ai.tool.call.result': json([{ a: json({ text }) }]),
    }),
  'tool arguments as text': (text) =>
    inTool({ 'gen_ai.tool.call.arguments': text, 'gen_ai.tool.call.result': json(text) }),
  'tool arguments as a map': (text) => inTool({ 'gen_ai.tool.call.arguments': { list: [text], [`to ${text}`]: 1 } }),
  'tool output events': (text) =>
    inTool({}, { events: [{ name: 'tool.output', attributes: { output: json({ text }), exit_code: 0 } }] }),
  'Strands tool events': (text) =>
    inTool(
      {},
      {
        scope: 'strands.telemetry',
        events: [
          { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: json({ note: text }), id: 't1' } },
          { name: 'gen_ai.choice', attributes: { message: json([{ text }]), id: 't1' } },
        ],
      },
    ),
}
