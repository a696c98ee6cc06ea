// The dialect of Mastra, which uses OpenTelemetry's names except for the cache, and its own names for what OpenTelemetry does not cover.
import type { Dialect } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'

/** Types of spans whose input and output have the type in their name, as in `mastra.agent_run.input`. */
const types = [
  'agent_run',
  'model_generation',
  'model_step',
  'model_inference',
  'model_chunk',
  'workflow_run',
  'workflow_step',
  'processor_run',
  'generic',
]
const inputs = types.map((type) => `mastra.${type}.input`)
const outputs = types.map((type) => `mastra.${type}.output`)

export const mastra: Dialect = {
  name: 'mastra',
  marks: { scopes: ['@mastra/*'], attributes: ['mastra.span.type'] },
  operations: {
    model_generation: 'chain',
    workflow_step: 'chain',
    // The operations of its exporter of 2025.
    tool_selection: 'llm',
    'tool.execute': 'tool',
    'agent.run': 'agent',
    'workflow.run': 'chain',
    'workflow.step': 'chain',
  },
  names: {
    session: ['mastra.metadata.sessionId'],
    // A resource owns the memory of an agent: it is a user.
    user: ['mastra.metadata.userId', 'mastra.metadata.resourceId'],
    completionStart: ['mastra.completion_start_time'],
    cachedTokens: ['gen_ai.usage.cached_input_tokens'],
    cacheWrite5mTokens: ['gen_ai.usage.cache_creation.5m_input_tokens'],
    cacheWrite1hTokens: ['gen_ai.usage.cache_creation.1h_input_tokens'],
  },
  own: { contextAgent: ['agent.id'] },
  messages: [inAttributes(inputs, outputs)],
  content: { in: inputs, out: outputs },
}
