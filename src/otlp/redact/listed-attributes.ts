// Floor 1. Which attributes are kept where no content is: those whose meaning is known, and that hold names, ids and measures.
import { allDialects } from '../../normalise/dialects/registry.ts'
import { tracewrightNames } from '../../normalise/dialects/tracewright.ts'
import type { Dialect, NamesByField } from '../../normalise/merge/definition.ts'
import type { AttributeValue } from '../span.ts'
import { isContentAttribute } from './content-attributes.ts'

/** Fields that say in free words what happened, or hold objects with members of the sender's choice. */
const freeFields: ReadonlySet<string> = new Set([
  'errorMessage',
  'toolArguments',
  'toolResult',
  'toolMarks',
  'retrieverMarks',
  'agentMarks',
  'llmMarks',
  'toolRequestMarks',
  'modelParameters',
  'costDetails',
])

/** Conventions of OpenTelemetry that no dialect reads. */
const conventions = [
  'service.namespace',
  'service.version',
  'service.instance.id',
  'deployment.environment',
  'deployment.environment.name',
  'telemetry.sdk.name',
  'telemetry.sdk.language',
  'telemetry.sdk.version',
  'exception.type',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'server.address',
  'server.port',
  'gen_ai.request.max_tokens',
  'gen_ai.request.temperature',
  'gen_ai.request.top_p',
  'gen_ai.request.top_k',
  'gen_ai.output.type',
]

const listFields = (names: NamesByField = {}): string[] =>
  Object.entries(names).flatMap(([field, sources]) =>
    freeFields.has(field) ? [] : (sources as readonly unknown[]).filter((source) => typeof source === 'string'),
  )

const listNames = ({ names, late, own, bare, kinds }: Dialect): string[] => [
  ...[names, late, own, bare].flatMap(listFields),
  ...(kinds ?? []).flatMap(({ attribute }) => attribute ?? []),
]

const listed: ReadonlySet<string> = new Set(
  [
    ...allDialects.flatMap(listNames),
    ...Object.values(tracewrightNames).flatMap((names) =>
      (Array.isArray(names) ? names : [names]).flatMap(({ all }) => all),
    ),
    ...conventions,
  ].filter((name) => !isContentAttribute(name)),
)

/** As long as the names and ids that become columns. */
const maxListedLength = 256

function isNameOrMeasure(value: AttributeValue): boolean {
  if (typeof value === 'string') return value.length <= maxListedLength
  return typeof value !== 'object' || value === null
}

/** Whether the attribute is kept, redacted, in the content mode `none`. */
export const isListed = (key: string, value: AttributeValue): boolean =>
  listed.has(key) && (Array.isArray(value) ? value.every(isNameOrMeasure) : isNameOrMeasure(value))
