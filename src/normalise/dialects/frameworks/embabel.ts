// The dialect of Embabel, an agent framework on Spring AI. It uses OpenTelemetry's names, and operations of its own for its steps.
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const toolMsNames = anyOf('embabel.tool.duration_ms')
const maxToolMs = 86_400_000

/** Returns the duration of a tool in microseconds. Its span was written when the tool had answered. */
function readToolUs({ attributes }: SpanReading): number | null {
  const ms = Number(firstText(attributes, toolMsNames) ?? 'unknown')
  return ms >= 0 && ms <= maxToolMs ? Math.round(ms * 1_000) : null
}

export const embabel: Dialect = {
  name: 'embabel',
  marks: { attributes: ['embabel.event.type', 'embabel.agent.name'] },
  operations: { action: 'chain', tool_loop: 'chain' },
  /** The name of an agent's span has a prefix: `agent researcher`. */
  names: { agent: ['embabel.agent.name'] },
  reads: { streamUs: { on: { attributes: toolMsNames.all }, read: readToolUs } },
}
