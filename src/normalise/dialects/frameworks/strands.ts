// The dialect of Strands Agents, by AWS, in Python and TypeScript.
import { anyOf } from '../../../event/names.ts'
import type { AttributeValue, SpanEvent } from '../../../event/span.ts'
import { isKnownProvider } from '../../../pricing/provider.ts'
import { has } from '../../attribute.ts'
import type { Dialect, Way } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const cycleNames = anyOf('agent_loop.cycle_id')

/** Reads the arguments or the result of a tool, which Strands reports as events. */
function toolEvent({ name, attributes }: SpanEvent, way: Way): AttributeValue | undefined {
  if (way === 'input') return name === 'gen_ai.tool.message' ? attributes.get('content') : undefined
  return name === 'gen_ai.choice' ? attributes.get('message') : undefined
}

/** In TypeScript, the name of the service is both the scope and what is written in the place of the provider. */
const isService = ({ span }: SpanReading, provider: string): boolean =>
  span.scope.name.toLowerCase() === provider.toLowerCase() && !isKnownProvider(provider)

export const strands: Dialect = {
  name: 'strands',
  marks: {
    scopes: ['strands*'],
    attributes: [...cycleNames.all, 'gen_ai.event.start_time'],
    values: { 'gen_ai.system': 'strands-agents' },
  },
  operations: { execute_event_loop_cycle: 'chain' },
  names: {
    cachedTokens: ['gen_ai.usage.cache_read_input_tokens'],
    cacheWriteTokens: ['gen_ai.usage.cache_write_input_tokens'],
  },
  /** Milliseconds; the standard's metric of this name is in seconds. */
  own: { ttftMs: ['gen_ai.server.time_to_first_token'] },
  reads: {
    /** In TypeScript, a cycle has no operation. */
    kind: {
      on: { attributes: cycleNames.all },
      read: ({ attributes }) => (has(attributes, cycleNames) ? 'chain' : null),
    },
    isProviderUnknown: { on: { own: true }, read: isService },
    toolEvent,
  },
}
