// The dialect of HoneyHive, which adds its attributes to those of the instrumentations that it collects.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import { firstText } from '../attribute.ts'
import type { Dialect } from '../merge/definition.ts'

const typeNames = anyOf('honeyhive_event_type')
const kinds: Readonly<Record<string, Kind>> = { tool: 'tool', chain: 'chain', session: 'chain', model: 'llm' }

export const honeyHive: Dialect = {
  name: 'honeyhive',
  marks: { scopes: ['honeyhive*'], attributes: ['honeyhive_event_type'] },
  own: { toolResult: ['honeyhive_outputs.result'] },
  late: { session: ['honeyhive.session_id'] },
  content: { in: ['honeyhive_inputs.*'], out: ['honeyhive_outputs.*'] },
  reads: {
    kind: {
      on: { own: true },
      read: ({ attributes }) => kinds[firstText(attributes, typeNames)?.toLowerCase() ?? ''] ?? null,
    },
  },
}
