// The dialect of traceAI, by Future AGI: OpenInference's forms under names of its own in OpenTelemetry's namespace.
import type { Dialect } from '../merge/definition.ts'
import { indexed } from '../messages/sources.ts'
import { kindsOfOpenInference } from './openinference.ts'

export const traceAi: Dialect = {
  name: 'traceai',
  marks: { scopes: ['traceai*'], attributes: ['gen_ai.span.kind'] },
  kinds: [{ attribute: 'gen_ai.span.kind', kinds: kindsOfOpenInference }],
  names: {
    modelParameters: ['gen_ai.request.parameters'],
    toolRequestMarks: [0, 1].map((at) => `gen_ai.output.messages.${at}.message.tool_calls.0.tool_call.function.name`),
  },
  messages: [indexed('gen_ai.input.messages.', 'gen_ai.output.messages.')],
}
