// Floor 1. Which attributes are kept where no content is: those whose meaning is known, and that hold names, ids and measures.

import { tracewrightNames } from '../../normalise/dialects/tracewright.ts'
import type { Dialect, NamesByField } from '../../normalise/merge/definition.ts'
import { allDialects } from '../../normalise/registry.ts'
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

/** Fields with names that people choose, in which blanks may stand. All others hold measures, ids and words of a convention. */
const chosenNames: ReadonlySet<string> = new Set([
  'agent',
  'contextAgent',
  'fallbackAgent',
  'workflow',
  'toolName',
  'session',
  'resourceSession',
  'user',
  'resourceUser',
  'taskType',
  'environment',
  'score',
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

const listFields = (names: NamesByField | undefined, isWanted: (field: string) => boolean): string[] =>
  Object.entries(names ?? {}).flatMap(([field, sources]) =>
    isWanted(field) ? (sources as readonly unknown[]).filter((source) => typeof source === 'string') : [],
  )

const listNames = ({ names, late, own, bare }: Dialect, isWanted: (field: string) => boolean): string[] =>
  [names, late, own, bare].flatMap((fields) => listFields(fields, isWanted))

const ownNames = Object.values(tracewrightNames).flatMap((names) =>
  (Array.isArray(names) ? names : [names]).flatMap(({ all }) => all),
)

const listed: ReadonlySet<string> = new Set(
  [
    ...allDialects.flatMap((dialect) => listNames(dialect, (field) => !freeFields.has(field))),
    ...allDialects.flatMap(({ kinds = [] }) => kinds.flatMap(({ attribute }) => attribute ?? [])),
    ...ownNames,
    ...conventions,
  ].filter((name) => !isContentAttribute(name)),
)

/** Own names and those of the service are chosen by people as well. */
const named: ReadonlySet<string> = new Set([
  ...allDialects.flatMap((dialect) => listNames(dialect, (field) => chosenNames.has(field))),
  ...ownNames,
  'service.name',
  'service.namespace',
])

/** As long as the names and ids that become columns. */
const maxListedLength = 256

/** A measure with blanks is none: somebody has put a text in its place. */
function isNameOrMeasure(value: AttributeValue, isNamed: boolean): boolean {
  if (typeof value === 'string') return value.length <= maxListedLength && (isNamed || !/\s/.test(value))
  return typeof value !== 'object' || value === null
}

/** Whether the attribute is kept, redacted, in the content mode `none`. */
export function isListed(key: string, value: AttributeValue): boolean {
  if (!listed.has(key)) return false
  const isNamed = named.has(key)
  return Array.isArray(value) ? value.every((item) => isNameOrMeasure(item, isNamed)) : isNameOrMeasure(value, isNamed)
}
