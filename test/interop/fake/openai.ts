// OpenAI's chat completions, responses and embeddings in the format of its API, streamed or whole.
import type { Answer, OpenAiUsage } from './answer.ts'

const created = 1_770_000_000

const usageOf = ({ prompt, completion, cached = 0, reasoning = 0 }: OpenAiUsage) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
})

const callsOf = ({ tools = [] }: Answer<OpenAiUsage>) =>
  tools.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))

/** The body of a chat completion. */
export function chatCompletion(answer: Answer<OpenAiUsage>, id: string): object {
  const calls = callsOf(answer)
  return {
    id,
    object: 'chat.completion',
    created,
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: usageOf(answer.usage),
    service_tier: 'default',
    system_fingerprint: 'fp_0',
  }
}

/** The server-sent events of a streamed chat completion; usage is sent only if it was requested, as the last chunk. */
export function chatChunks(answer: Answer<OpenAiUsage>, id: string, withUsage: boolean): string[] {
  const chunk = (choices: object[], usage: object | null) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model: answer.model,
    service_tier: 'default',
    system_fingerprint: 'fp_0',
    choices,
    ...(withUsage ? { usage } : {}),
  })
  const delta = (change: object, reason: string | null = null) =>
    chunk([{ index: 0, delta: change, logprobs: null, finish_reason: reason }], null)
  const calls = callsOf(answer)
  const words = (answer.text ?? '').split(/(?<= )/).filter((word) => word !== '')
  const chunks = [
    delta({ role: 'assistant', content: '', refusal: null }),
    ...words.map((content) => delta({ content })),
    ...calls.map((call, index) => delta({ tool_calls: [{ index, ...call }] })),
    delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    ...(withUsage ? [chunk([], usageOf(answer.usage))] : []),
  ]
  return [...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), 'data: [DONE]\n\n']
}

/** The body of a response of the Responses API. */
export function response(answer: Answer<OpenAiUsage>, id: string): object {
  const { prompt, completion, cached = 0, reasoning = 0 } = answer.usage
  const message = {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: answer.text ?? '', annotations: [], logprobs: [] }],
  }
  const calls = (answer.tools ?? []).map((tool) => ({
    type: 'function_call',
    id: `fc_${tool.id}`,
    call_id: tool.id,
    name: tool.name,
    arguments: JSON.stringify(tool.arguments),
    status: 'completed',
  }))
  return {
    id,
    object: 'response',
    created_at: created,
    status: 'completed',
    model: answer.model,
    output: [...(answer.text === undefined ? [] : [message]), ...calls],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    service_tier: 'default',
    usage: {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: completion,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: prompt + completion,
    },
  }
}

/** The body of an embeddings call, one vector for each input, in the requested encoding. */
export function embeddings(answer: Answer<OpenAiUsage>, count: number, format: unknown): object {
  const vector = Float32Array.from({ length: 8 }, (_, at) => at / 8)
  const embedding = format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
  return {
    object: 'list',
    data: Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding })),
    model: answer.model,
    usage: { prompt_tokens: answer.usage.prompt, total_tokens: answer.usage.prompt },
  }
}
