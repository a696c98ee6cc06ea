// The dialect of Microsoft.Extensions.AI, in .NET, which uses OpenTelemetry's names and two operations of its own.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const operationNames = anyOf('gen_ai.operation.name')
const answerNames = anyOf('gen_ai.response.id', 'gen_ai.usage.output_tokens', 'error.type')

/** Of a session in real time, it reports each answer, and each message to the model, as a span of one operation. */
function kindOfMessage({ attributes }: SpanReading): Kind | null {
  if (firstText(attributes, operationNames) !== 'realtime') return null
  return has(attributes, answerNames) ? 'llm' : 'other'
}

export const extensionsAi: Dialect = {
  name: 'extensions-ai',
  marks: { scopes: ['Experimental.Microsoft.Extensions.AI*'] },
  /** The loop around the calls of a model and of the tools that it asks for. */
  operations: { orchestrate_tools: 'chain' },
  reads: { kind: { on: { own: true }, read: kindOfMessage } },
}
