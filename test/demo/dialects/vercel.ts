// Spans as the Vercel AI SDK wrote them up to version 6: every attribute under `ai.`, the function's name as the agent.
import type { Attributes, CallTold, Dialect, Written } from '../telling.ts'

const usageOf = ({ input, output, cached = 0, cacheWrite = 0, reasoning = 0 }: CallTold): Attributes => ({
  'ai.usage.inputTokens': input,
  'ai.usage.outputTokens': output,
  'ai.usage.totalTokens': input + output,
  'ai.usage.inputTokenDetails.cacheReadTokens': cached,
  'ai.usage.inputTokenDetails.cacheWriteTokens': cacheWrite,
  'ai.usage.outputTokenDetails.reasoningTokens': reasoning,
})

const write = (operationId: string, attributes: Attributes): Written => ({
  name: operationId,
  attributes: { 'operation.name': operationId, 'ai.operationId': operationId, ...attributes },
})

export const vercel: Dialect = {
  scope: { name: 'ai', version: '' },
  agent: ({ name, session, user, task }) =>
    write('ai.generateText', {
      'ai.telemetry.functionId': name,
      'ai.telemetry.metadata.sessionId': session,
      'ai.telemetry.metadata.userId': user,
      'ai.telemetry.metadata.task': task,
    }),
  call: (told, responseId, ttftMs, failed) =>
    write(ttftMs === null ? 'ai.generateText.doGenerate' : 'ai.streamText.doStream', {
      'ai.model.provider': `${told.model.provider}.chat`,
      'ai.model.id': told.model.asked,
      'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [{ type: 'text', text: told.question }] }]),
      ...(failed
        ? {}
        : {
            'ai.response.id': responseId,
            'ai.response.model': told.model.answered,
            'ai.response.finishReason': (told.wants ?? []).length > 0 ? 'tool-calls' : 'stop',
            'ai.response.text': told.answer,
            ...(ttftMs === null ? {} : { 'ai.response.msToFirstChunk': ttftMs }),
            ...usageOf(told),
          }),
    }),
  tool: ({ id, name, arguments: given, result }, failed) =>
    write('ai.toolCall', {
      'ai.toolCall.name': name,
      'ai.toolCall.id': id,
      'ai.toolCall.args': JSON.stringify(given),
      ...(failed ? {} : { 'ai.toolCall.result': JSON.stringify(result) }),
    }),
  embedding: (model, text, tokens) =>
    write('ai.embed.doEmbed', {
      'ai.model.provider': `${model.provider}.embedding`,
      'ai.model.id': model.asked,
      'ai.values': [JSON.stringify(text)],
      'ai.usage.tokens': tokens,
    }),
  retrieval: ({ source, query }) => ({ name: source, attributes: { 'gen_ai.retrieval.query.text': query } }),
}
