// The dialect of Azure's SDKs for agents, which uses OpenTelemetry's names. Agents and their runs live in Azure AI Foundry, not in the process.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect, TextRead } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

/** Streams have the older names. */
const usageNames = anyOf(
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.prompt_tokens',
  'gen_ai.usage.completion_tokens',
)
const runNames = anyOf('gen_ai.thread.run.id')

/** Makes the span of an agent with usage an llm span: the service calls its models, so that no other span reports them. */
const restateKind = ({ attributes }: SpanReading, kind: Kind): Kind | null =>
  kind === 'agent' && has(attributes, usageNames) ? 'llm' : null

/**
 * Of the requests about a run, those after its end have its usage, usually one. Each further one counts again: spans of one scope are
 * separate calls, except for responses whose id shows that they were fetched again (`findFetchedAgain`).
 */
const kindOfRequest = ({ attributes }: SpanReading): Kind | null =>
  has(attributes, runNames) && has(attributes, usageNames) ? 'llm' : null

/** Another trace may report the same run. */
const idOfRun: TextRead = ({ attributes }, kind) => (kind === 'llm' ? firstText(attributes, runNames) : null)

export const azureAi: Dialect = {
  name: 'azure-ai',
  marks: { attributes: runNames.all, values: { 'az.namespace': 'Microsoft.CognitiveServices' } },
  late: { session: ['gen_ai.thread.id'] },
  own: { responseId: [idOfRun] },
  reads: {
    kind: { on: { own: true }, read: kindOfRequest },
    restatedKind: { on: { own: true }, read: restateKind },
  },
}
