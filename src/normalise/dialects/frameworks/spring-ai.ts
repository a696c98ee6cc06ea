// The dialect of Spring AI, which uses OpenTelemetry's names for models, and its own names for tools and the steps of its chat client.
import { anyOf } from '../../../event/names.ts'
import { first } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'

/** Spring Boot makes all spans of an application in one scope. */
const scope = 'org.springframework.boot'
const systemNames = anyOf('gen_ai.system')

export const springAi: Dialect = {
  name: 'spring-ai',
  // The scope is no mark: that of requests to servers and databases is the same.
  marks: { attributes: ['spring.ai.kind', 'spring.ai.model.request.tool.names'] },
  // Release 1 has one operation, `framework`, for all of these.
  kinds: [{ attribute: 'spring.ai.kind', kinds: { chat_client: 'chain', advisor: 'chain', tool_call: 'tool' } }],
  toolSpans: ['tool_call '],
  names: {
    session: ['spring.ai.chat.client.conversation.id'],
    toolName: ['spring.ai.tool.definition.name'],
    toolCallId: ['spring.ai.tool.call.id'],
    toolArguments: ['spring.ai.tool.call.arguments'],
    toolResult: ['spring.ai.tool.call.result'],
  },
  content: {
    in: ['spring.ai.tool.call.arguments'],
    out: ['spring.ai.tool.call.result'],
    apart: ['spring.ai.tool.definition.schema', 'spring.ai.tool.definition.description'],
  },
  reads: {
    /** It passes on Anthropic's own input count. Only spans with a cache count are asked. */
    excludesCache: {
      on: { attributes: ['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_creation.input_tokens'] },
      read: ({ span, attributes }) => span.scope.name === scope && first(attributes, systemNames) === 'anthropic',
    },
  },
}
