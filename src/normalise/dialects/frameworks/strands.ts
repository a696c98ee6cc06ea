// The dialect of Strands Agents, by AWS.
import type { AttributeValue, SpanEvent } from '../../../event/span.ts'
import type { Dialect, Way } from '../../merge/definition.ts'

/** Reads the arguments or the result of a tool, which Strands reports as events. */
function toolEvent({ name, attributes }: SpanEvent, way: Way): AttributeValue | undefined {
  if (way === 'input') return name === 'gen_ai.tool.message' ? attributes.get('content') : undefined
  return name === 'gen_ai.choice' ? attributes.get('message') : undefined
}

export const strands: Dialect = {
  name: 'strands',
  marks: { scopes: ['strands*'], values: { 'gen_ai.system': 'strands-agents' } },
  operations: { execute_event_loop_cycle: 'chain' },
  names: {
    cachedTokens: ['gen_ai.usage.cache_read_input_tokens'],
    cacheWriteTokens: ['gen_ai.usage.cache_write_input_tokens'],
  },
  /** Milliseconds; the standard's metric of this name is in seconds. */
  own: { ttftMs: ['gen_ai.server.time_to_first_token'] },
  reads: { toolEvent },
}
