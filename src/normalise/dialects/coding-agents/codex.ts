// The dialect of Codex, the coding agent of OpenAI. It reports the steps of its own program as spans, most of which are no calls.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

/** The last part of an answer has the usage of the whole call. No span has both a usage and the model of one call. */
const usageNames = anyOf('codex.usage.total_tokens')
const phaseNames = anyOf('codex.tool.phase')
const turn = 'session_task.turn'

function kindOf({ span, attributes }: SpanReading): Kind | null {
  if (has(attributes, usageNames)) return 'llm'
  if (has(attributes, phaseNames)) return 'tool'
  return span.name === turn ? 'chain' : null
}

export const codex: Dialect = {
  name: 'codex',
  marks: {
    scopes: ['codex*'],
    attributes: ['codex.usage.total_tokens', 'codex.tool.phase', 'codex.turn.phase', 'codex.request.reasoning_effort'],
  },
  names: {
    totalTokens: usageNames.all,
    reasoningTokens: ['codex.usage.reasoning_output_tokens'],
  },
  late: { session: ['conversation.id'] },
  own: { toolCallId: ['call_id'] },
  reads: { kind: { on: { own: true }, read: kindOf } },
}
