// Anthropic's messages in the format of its API, streamed or whole.
import type { Answer, AnthropicUsage } from './answer.ts'

const usageOf = ({ input, output, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0 }: AnthropicUsage) => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
  cache_read_input_tokens: cacheRead,
  cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
  output_tokens: output,
  service_tier: 'standard',
})

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object }

const blocksOf = ({ text, tools = [] }: Answer<AnthropicUsage>): Block[] => [
  ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
  ...tools.map(({ id, name, arguments: input }) => ({ type: 'tool_use' as const, id, name, input })),
]

const stopReasonOf = ({ tools = [] }: Answer<AnthropicUsage>) => (tools.length > 0 ? 'tool_use' : 'end_turn')

/** The body of a message. */
export const message = (answer: Answer<AnthropicUsage>, id: string): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model: answer.model,
  content: blocksOf(answer),
  stop_reason: stopReasonOf(answer),
  stop_sequence: null,
  usage: usageOf(answer.usage),
})

/** The server-sent events of a streamed message: the input counts are sent first, the output counts last. */
export function messageEvents(answer: Answer<AnthropicUsage>, id: string): string[] {
  const usage = usageOf(answer.usage)
  const blocks = blocksOf(answer).flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} },
    },
    {
      type: 'content_block_delta',
      index,
      delta:
        block.type === 'text'
          ? { type: 'text_delta', text: block.text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    },
    { type: 'content_block_stop', index },
  ])
  const start = { ...message(answer, id), content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  const events = [
    { type: 'message_start', message: start },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: stopReasonOf(answer), stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}
