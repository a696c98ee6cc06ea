// The dialect of VoltAgent. It reports all model calls of a turn of an agent as one span, with the usage of the last call alone.
import type { Kind } from '../../../event/event.ts'
import { anyOf, type Names } from '../../../event/names.ts'
import { first, firstBoolean, firstText, has } from '../../attribute.ts'
import type { Dialect, TextRead } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import { isOf, type SpanReading } from '../../span-reading.ts'
import { maxCostUsd, readAmount } from '../../usage/count.ts'
import { fillFromUsage } from '../../usage/provider-usage.ts'

const name = 'voltagent'

const typeNames = anyOf('span.type')
const entityNames = anyOf('entity.type')
const modelNames = anyOf('ai.model.name', 'llm.model')
const inputNames = anyOf('usage.prompt_tokens')
const lastInputNames = anyOf('llm.usage.prompt_tokens')
const usageNames: readonly (readonly [member: string, names: Names])[] = [
  ['prompt_tokens', inputNames],
  ['completion_tokens', anyOf('usage.completion_tokens')],
  ['total_tokens', anyOf('usage.total_tokens')],
  ['cached_tokens', anyOf('usage.cached_tokens')],
  ['reasoning_tokens', anyOf('usage.reasoning_tokens')],
]

const scorerNames = anyOf('eval.scorer.name')

/** Whether the span is that of a scorer that calls a model itself. No other span reports this call. */
const isJudge = ({ attributes }: SpanReading): boolean =>
  firstText(attributes, typeNames) === 'scorer' && has(attributes, inputNames)

/** Returns the name of a scorer that calls a model. Its span names the agent whose answer it scores, inside whose span it is. */
const judge: TextRead = (reading) => (isJudge(reading) ? firstText(reading.attributes, scorerNames) : null)

/**
 * Returns the kind of a span. The span of an agent alone has the usage of all calls of a turn, and is therefore the model call. If the turn
 * failed, it has none, and the span of the calls inside it is the model call.
 */
function kindOf(reading: SpanReading): Kind | null {
  const { attributes } = reading
  const type = firstText(attributes, typeNames)
  if (type === 'tool') return 'tool'
  if (type === 'llm') return has(attributes, lastInputNames) ? 'chain' : 'llm'
  if (isJudge(reading)) return 'llm'
  if (type !== null || firstText(attributes, entityNames) !== 'agent') return null
  return has(attributes, inputNames) ? 'llm' : 'agent'
}

/** Present on a turn that ended at the most steps it may have: how many it had, each a model call. */
const stepNames = anyOf('voltagent.step_count')
const costNames = anyOf('usage.cost')
const ownKeyNames = anyOf('usage.is_byok')
const upstreamCostNames = anyOf('usage.cost_details.upstream_inference_cost')

/**
 * Returns the cost that OpenRouter states; no other provider states one. That of a turn is the cost of its last call, and is therefore read
 * only where the turn is known to have had one. If the sender brings its own key, OpenRouter's cost is only its fee, and the provider bills
 * the rest. A scorer does not state whose key it was: only with its own do the provider's costs exceed those of OpenRouter.
 */
function readCostUsd(reading: SpanReading): number | null {
  const { attributes, flags } = reading
  if (!isJudge(reading) && firstText(attributes, stepNames) !== '1') return null
  const cost = readAmount(first(attributes, costNames), maxCostUsd, flags)
  if (cost === null) return null
  const upstream = readAmount(first(attributes, upstreamCostNames), maxCostUsd, flags) ?? 0
  return (firstBoolean(attributes, ownKeyNames) ?? upstream > cost) ? cost + upstream : cost
}

const content = inAttributes(['input', 'llm.messages'], ['output'])

export const voltAgent: Dialect = {
  name,
  marks: { scopes: ['@voltagent*'] },
  own: {
    // The spans of an agent that another agent calls have the other one as the entity.
    agent: [judge, 'subagent.name', 'entity.name'],
    finishReasons: ['ai.response.finish_reason'],
    toolCallId: ['tool.call.id'],
    toolArguments: ['input'],
    toolResult: ['output'],
  },
  lateMessages: [(reading, way) => (isOf(reading, name) ? content(reading, way) : null)],
  content: { in: ['llm.messages', 'agent.messages'] },
  reads: {
    kind: { on: { own: true }, read: kindOf },
    model: { on: { own: true }, read: ({ attributes }) => firstText(attributes, modelNames) },
    costUsd: { on: { own: true }, read: readCostUsd },
    callUsage: {
      on: { own: true },
      read({ attributes, flags }, told) {
        const usage = usageNames.map(([member, names]) => [member, first(attributes, names)] as const)
        fillFromUsage(Object.fromEntries(usage), told, flags)
      },
    },
  },
}
