// The dialect of Google's Agent Development Kit.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import type { SpanReading } from '../../span-reading.ts'
import { fillFromProviderUsage, usageOfAnswer } from '../../usage/provider-usage.ts'

const toolNames = anyOf('gen_ai.tool.name')
const responseNames = anyOf('gcp.vertex.agent.llm_response')

/** In releases before 2.0, the spans of agents have no attributes, and neither do failed calls and tools: they get them with the answer. */
function kindByName({ span }: SpanReading): Kind | null {
  if (span.name.startsWith('agent_run [')) return 'agent'
  if (span.statusCode !== 2 || span.attributes.size > 0 || !span.scope.name.startsWith('gcp.vertex.agent')) return null
  if (span.name === 'call_llm') return 'llm'
  return span.name.startsWith('execute_tool ') ? 'tool' : null
}

/** After calls of several tools at once, a further span has their results in one event. It reports no call. */
const restateKind = ({ attributes }: SpanReading, kind: Kind): Kind | null =>
  kind === 'tool' && firstText(attributes, toolNames) === '(merged tools)' ? 'other' : null

export const googleAdk: Dialect = {
  name: 'google-adk',
  marks: { scopes: ['gcp.vertex.agent*'], attributes: ['gcp.vertex.agent.invocation_id', 'gcp.vertex.agent.event_id'] },
  names: {
    toolMarks: ['gcp.vertex.agent.tool_call_args'],
    /** Used by Braintrust's callbacks for ADK for Go, and by ADK for Rust. */
    agent: ['adk.agent.name'],
    /** Used by releases before 2.3. */
    reasoningTokens: ['gen_ai.usage.experimental.reasoning_tokens'],
    toolArguments: ['gcp.vertex.agent.tool_call_args'],
    toolResult: ['gcp.vertex.agent.tool_response'],
  },
  late: { session: ['gcp.vertex.agent.session_id', 'adk.agent.session_id'] },
  /** Used by ADK for Java. */
  own: { toolCallId: ['gen_ai.tool_call.id'] },
  operations: { call_llm: 'llm' },
  messages: [inAttributes(['gcp.vertex.agent.llm_request'], ['gcp.vertex.agent.llm_response'])],
  content: {
    in: ['gcp.vertex.agent.llm_request', 'gcp.vertex.agent.tool_call_args'],
    out: ['gcp.vertex.agent.llm_response', 'gcp.vertex.agent.tool_response'],
    both: ['gcp.vertex.agent.data'],
  },
  reads: {
    kind: kindByName,
    restatedKind: { on: { own: true }, read: restateKind },
    usage: {
      on: { attributes: responseNames.all },
      read(reading, told) {
        const response = reading.object(responseNames)
        const usage = response === null ? null : usageOfAnswer(response)
        if (usage !== null) fillFromProviderUsage(usage, told, reading.flags)
      },
    },
  },
}
