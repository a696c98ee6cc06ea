// Language and embedding models from the AI SDK's mocks, with the answers that a test sets.
import { MockEmbeddingModelV4, MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { type Answer, type Failure, makeScript, type OpenAiUsage, type Script } from './answer.ts'

const usageOf = ({ prompt, completion, cached = 0, reasoning = 0 }: OpenAiUsage) => ({
  inputTokens: { total: prompt, noCache: prompt - cached, cacheRead: cached, cacheWrite: 0 },
  outputTokens: { total: completion, text: completion - reasoning, reasoning },
})

const finishOf = ({ tools = [] }: Answer<OpenAiUsage>) =>
  tools.length > 0 ? { unified: 'tool-calls' as const, raw: 'tool_calls' } : { unified: 'stop' as const, raw: 'stop' }

const contentOf = ({ text, tools = [] }: Answer<OpenAiUsage>) => [
  ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
  ...tools.map(({ id, name, arguments: given }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: JSON.stringify(given),
  })),
]

function orThrow(next: Answer<OpenAiUsage> | Failure): Answer<OpenAiUsage> {
  if ('status' in next) throw new Error(next.message)
  return next
}

/** Makes a model that reports itself as OpenAI's `gpt-4o`, and the script of its answers. */
export function makeLanguageModel(): { model: MockLanguageModelV4; script: Script<OpenAiUsage> } {
  const script = makeScript<OpenAiUsage>()
  const model = new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId: 'gpt-4o',
    doGenerate: async () => {
      const answer = orThrow(script.next())
      return {
        content: contentOf(answer),
        finishReason: finishOf(answer),
        usage: usageOf(answer.usage),
        warnings: [],
        response: { id: 'response-1', modelId: answer.model },
      }
    },
    doStream: async () => {
      const answer = orThrow(script.next())
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'response-metadata', id: 'response-1', modelId: answer.model },
            { type: 'text-start', id: 'text-1' },
            { type: 'text-delta', id: 'text-1', delta: answer.text ?? '' },
            { type: 'text-end', id: 'text-1' },
            { type: 'finish', finishReason: finishOf(answer), usage: usageOf(answer.usage) },
          ],
        }),
      }
    },
  })
  return { model, script }
}

/** Makes an embedding model that counts `tokensEach` for every value, and accepts one value a call if `single`. */
export const makeEmbeddingModel = (tokensEach: number, single: boolean): MockEmbeddingModelV4 =>
  new MockEmbeddingModelV4({
    provider: 'openai.embedding',
    modelId: 'text-embedding-3-small',
    maxEmbeddingsPerCall: single ? 1 : 100,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => ({
      embeddings: values.map(() => [0.1, 0.2]),
      usage: { tokens: tokensEach * values.length },
      warnings: [],
    }),
  })
