// Names of older GenAI conventions of OpenTelemetry and of its drafts, and variants of them that several senders use.
import type { Dialect } from '../merge/definition.ts'
import { readSpanEvents } from '../messages/opentelemetry-events.ts'
import { findEvent } from '../span-reading.ts'

export const openTelemetryOlder: Dialect = {
  name: 'opentelemetry-older',
  marks: { attributes: ['gen_ai.system', 'gen_ai.usage.prompt_tokens', 'gen_ai.usage.completion_tokens'] },
  operations: { completion: 'llm', generate: 'llm', embedding: 'embedding' },
  names: {
    toolMarks: ['gen_ai.tool.call.name'],
    user: ['enduser.id'],
    resourceUser: ['enduser.id'],
    environment: ['deployment.environment'],
    provider: ['gen_ai.system'],
    requestModel: ['gen_ai.request_model'],
    responseModel: ['gen_ai.response_model'],
    finishReasons: ['gen_ai.response.finish_reason'],
    serviceTier: ['gen_ai.openai.response.service_tier'],
    inputTokens: ['gen_ai.usage.prompt_tokens'],
    outputTokens: ['gen_ai.usage.completion_tokens'],
    cacheWriteTokens: ['gen_ai.usage.cache_creation.input_tokens'],
  },
  late: { serviceTier: ['gen_ai.openai.request.service_tier'] },
  lateMessages: [
    ({ span, flags }, way) => (span.events.length === 0 ? null : (readSpanEvents(span.events, flags)?.[way] ?? null)),
  ],
  content: {
    in: [
      'gen_ai.prompt',
      'gen_ai.request.messages',
      // Koog's name of the standard's attribute.
      'system_instructions',
      'gen_ai.system.message',
      'gen_ai.user.message',
      'gen_ai.content.prompt',
    ],
    out: [
      'gen_ai.completion',
      'gen_ai.assistant.message',
      'gen_ai.tool.message',
      'gen_ai.choice',
      'gen_ai.content.completion',
    ],
    // The members of messages that are reported as events.
    apart: ['content', 'message', 'tool_calls', 'arguments', 'completion', 'gen_ai.event.content'],
  },
  reads: {
    finishReason: {
      on: { events: true },
      read: (reading) => findEvent(reading, ['gen_ai.choice'])?.get('finish_reason'),
    },
  },
}
