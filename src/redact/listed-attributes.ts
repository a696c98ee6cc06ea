// Lists the attributes that are kept in content mode `none`: those whose meaning is known, and that hold names, ids and measures.

import type { AttributeValue } from '../event/span.ts'
import { tracewrightNames } from '../normalise/dialects/tracewright.ts'
import type { Dialect, NamesByField } from '../normalise/merge/definition.ts'
import { allDialects } from '../normalise/registry.ts'
import { isContentAttribute } from './content-attributes.ts'

/** Fields with free text, or with objects whose members the sender chooses. */
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

/** Fields with names that people choose, which may contain blanks. All other fields hold measures, ids and words of a convention. */
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

/** The attributes whose values are names that people choose: those of `chosenNames`, Tracewright's own, and the name of the service. */
const named: ReadonlySet<string> = new Set([
  ...allDialects.flatMap((dialect) => listNames(dialect, (field) => chosenNames.has(field))),
  ...ownNames,
  'service.name',
  'service.namespace',
])

/** The maximum length of the names and ids that become columns. */
const maxListedLength = 256

/** A value with blanks is not a measure but a text that a sender has put in its place. */
function isNameOrMeasure(value: AttributeValue, isNamed: boolean): boolean {
  if (typeof value === 'string') return value.length <= maxListedLength && (isNamed || !/\s/.test(value))
  return typeof value !== 'object' || value === null
}

/** A host, perhaps an IPv6 address in brackets, and its port. */
const hostAndPort = /^(?:\[([^\]]*)\]|([^:]*)):?\d*$/

/** Returns the host of a URL, also of one without a scheme; the same text for anything else. Empty for a path. */
function hostOf(address: string): string {
  const rest = address.replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
  const [authority = ''] = rest.split(/[/?#\\]/, 1)
  const server = authority.slice(authority.lastIndexOf('@') + 1)
  if (server === address) return address
  const [, inBrackets, plain] = hostAndPort.exec(server) ?? []
  return inBrackets ?? plain ?? server
}

/**
 * Returns what content mode `none` keeps of an attribute, before redaction: the value of a listed one, of the address of a server only the
 * host, as some libraries put a whole URL there. `undefined`: nothing.
 */
export function keepWithoutContent(key: string, value: AttributeValue): AttributeValue | undefined {
  if (!isListed(key, value)) return undefined
  if (key !== 'server.address') return value
  if (typeof value === 'string') return hostOf(value) || undefined
  return typeof value === 'object' ? undefined : value
}

function isListed(key: string, value: AttributeValue): boolean {
  if (!listed.has(key)) return false
  const isNamed = named.has(key)
  return Array.isArray(value) ? value.every((item) => isNameOrMeasure(item, isNamed)) : isNameOrMeasure(value, isNamed)
}
