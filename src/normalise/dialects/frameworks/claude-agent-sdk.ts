// The dialect of OpenTelemetry's instrumentations of the Claude Agent SDK.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const usageNames = anyOf('gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens')
/** The releases for Python that have this scope add the cache to the input. The others pass on Anthropic's count, which excludes it. */
const scopeWithCache = 'opentelemetry.instrumentation.claude_agent_sdk'

/**
 * Makes the span of an agent with usage an llm span: the SDK calls its models in a separate process, so that their usage is reported only
 * there, summed up over a turn.
 */
const restateKind = ({ attributes }: SpanReading, kind: Kind): Kind | null =>
  kind === 'agent' && has(attributes, usageNames) ? 'llm' : null

export const claudeAgentSdk: Dialect = {
  name: 'claude-agent-sdk',
  marks: {
    scopes: [
      `${scopeWithCache}*`,
      'opentelemetry.instrumentation.genai.claude_agent_sdk*',
      '@opentelemetry/instrumentation-claude-agent-sdk*',
    ],
  },
  reads: {
    restatedKind: { on: { own: true }, read: restateKind },
    excludesCache: { on: { own: true }, read: ({ span }) => !span.scope.name.startsWith(scopeWithCache) },
  },
}
