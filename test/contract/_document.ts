// The OpenAPI document of the running service, and a check of answers against it.
import { z } from 'zod'
import type { CallResult, TestService } from '../_kit/serve.ts'

type Schema = Record<string, unknown>
type Media = { readonly schema?: Schema }

type Parameter = { readonly name: string; readonly in: string; readonly description?: string; readonly schema?: Schema }
type Answer = {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: Readonly<Record<string, unknown>>
}

export type Operation = {
  /** "GET /v1/keys" */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly auth: 'none' | 'session' | 'key'
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Answer>>
}

export type Document = {
  readonly text: string
  readonly operations: readonly Operation[]
  /** Returns where the answer differs from the document; empty if it conforms. */
  judge(operation: Operation, answer: CallResult): string[]
}

type RawOperation = Omit<Operation, 'name' | 'method' | 'path' | 'auth'> & { security: Record<string, unknown>[] }
type RawDocument = {
  paths: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema> }
}

export async function readDocument(service: TestService): Promise<Document> {
  const { text } = await service.call('GET', '/openapi.json', { token: null })
  const raw = JSON.parse(text) as RawDocument
  const operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      auth: (Object.keys(operation.security[0] ?? {})[0] ?? 'none') as Operation['auth'],
      parameters: operation.parameters ?? [],
    })),
  )
  return { text, operations, judge: makeJudge(raw.components.schemas) }
}

/** Headers that a client acts on, so the document must describe them. */
const actedOn = ['etag', 'retry-after', 'www-authenticate', 'x-tracewright-cursor']

/** Returns those of them that the answer has and the document does not describe. */
function findUntold(documented: Answer, headers: Headers): string[] {
  const told = new Set(Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase()))
  return actedOn
    .filter((name) => headers.has(name) && !told.has(name))
    .map((name) => `the header ${name} is not documented`)
}

function makeJudge(components: Record<string, Schema>): Document['judge'] {
  const definitions = close(components) as Record<string, Schema>
  // Each validator includes all definitions, so it is made once.
  const validators = new Map<Schema, z.ZodType>()
  const readValidator = (schema: Schema): z.ZodType => {
    const made = validators.get(schema) ?? z.fromJSONSchema({ ...(close(schema) as Schema), $defs: definitions })
    validators.set(schema, made)
    return made
  }
  return (operation, { status, headers, text, json }) => {
    const documented = operation.responses[String(status)]
    if (documented === undefined) return [`${status} is not documented`]
    const untold = findUntold(documented, headers)
    if (untold.length > 0) return untold
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (documented.content === undefined)
      return text === '' ? [] : [`a body where none is documented: ${text.slice(0, 100)}`]
    const media = documented.content[type]
    if (media === undefined) return [`${status} in ${type || 'no type'} is not documented`]
    if (media.schema === undefined || type !== 'application/json') return []
    const result = readValidator(media.schema).safeParse(json)
    return result.success ? [] : [`${status}: ${z.prettifyError(result.error)}`]
  }
}

/** Returns the schema with references as zod expects them, and objects that allow no undocumented fields. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' ? value.replace(/^#\/components\/schemas\//, '#/$defs/') : value
  }
  const closed = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, close(item)]))
  const isClosable =
    closed['type'] === 'object' && closed['properties'] !== undefined && closed['additionalProperties'] === undefined
  return isClosable ? { ...closed, additionalProperties: false } : closed
}
