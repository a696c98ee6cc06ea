// The dialect of Microsoft's Agent Framework for Python, which uses OpenTelemetry's names and passes on the counts of each provider.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { canonicalProvider } from '../../../pricing/provider.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { firstProvider } from '../../provider-name.ts'
import type { SpanReading } from '../../span-reading.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'

const providerNames = anyOf('gen_ai.provider.name')
const modelNames = anyOf('gen_ai.response.model', 'gen_ai.request.model')
const usageNames = anyOf('gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens')

/** Agents whose model runs in another process. The spans of all other agents sum up the spans of their model calls. */
const agentsWithModel: ReadonlySet<string | null> = new Set(['anthropic.claude', 'github.copilot'])

/** The only report of the usage of such an agent is its own span, summed up over a turn. */
const restateKind = ({ attributes }: SpanReading, kind: Kind): Kind | null =>
  kind === 'agent' && agentsWithModel.has(firstText(attributes, providerNames)) && has(attributes, usageNames)
    ? 'llm'
    : null

const providerOf = ({ attributes }: SpanReading): string | null =>
  firstProvider(attributes, providerNames, canonicalProvider)

/** The platforms of other vendors on which Anthropic's client calls Claude, as the framework spells them. */
const platformsOfClaude: ReadonlySet<string | null> = new Set(['azure.ai.foundry', 'google.vertex.ai'])

/** The counts of Anthropic's client on any platform, and of Bedrock, exclude the cache. Those of OpenAI's client include it. */
function excludesCache(reading: SpanReading): boolean {
  if (excludesCacheItself(providerOf(reading))) return true
  if (!platformsOfClaude.has(firstText(reading.attributes, providerNames))) return false
  return firstText(reading.attributes, modelNames)?.toLowerCase().includes('claude') === true
}

/** An agent without a name goes by its id, which is another one in each process. */
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

export const agentFramework: Dialect = {
  name: 'agent-framework',
  marks: { scopes: ['agent_framework*'] },
  reads: {
    restatedKind: { on: { own: true }, read: restateKind },
    isAgentUnknown: { on: { own: true }, read: (_, _kind, name) => uuid.test(name) },
    excludesCache: { on: { own: true }, read: excludesCache },
    /** Gemini's own output count excludes the thoughts. */
    callUsage: {
      on: { own: true },
      read(reading, told) {
        if (told.output === null || !told.reasoning || providerOf(reading) !== 'gcp.gemini') return
        told.output += told.reasoning
        reading.flags.add('usage_adjusted')
      },
    },
  },
}
