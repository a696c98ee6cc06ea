// Floor 1. One span being read: its attributes, the JSON inside them parsed once, and whose dialect its bare names are.

import type { Flag } from '../event/flag.ts'
import { anyOf, type Names } from '../otlp/names.ts'
import type { Attributes, Span } from '../otlp/span.ts'
import { first, has, toPlain } from './attribute.ts'
import { isObject, type JsonObject, parseStructure } from './json.ts'
import { withoutQuotes } from './json-text.ts'
import { mlflowTypeNames } from './shared-names.ts'

export type Reading = {
  readonly span: Span
  readonly attributes: Attributes
  readonly resource: Attributes
  readonly flags: Set<Flag>
  readonly isClaudeCode: boolean
  readonly isPydanticAi: boolean
  readonly isStrands: boolean
  readonly isLangChain: boolean
  readonly isMlflow: boolean
  /** Repeats Anthropic's own input count, which leaves the cache out, under the standard's name, which holds it. */
  readonly countsCacheBeside: boolean
  /** The JSON object in the first of these attributes that is there, as text or as a map; null where there is none. Parsed once a span. */
  readonly object: (names: Names) => JsonObject | null
}

const systemNames = anyOf('gen_ai.system')
const providerNames = anyOf('gen_ai.provider.name', 'gen_ai.system')
/** OpenLIT's for Anthropic, and the one that its older releases have for all providers. */
const openLitScopes: ReadonlySet<string> = new Set(['openlit.instrumentation.anthropic', 'openlit.otel.tracing'])
const mlflowFormatNames = anyOf('mlflow.message.format')

/** Opens a span for reading. Cost: a few comparisons and two look-ups; nothing is parsed before it is asked for. */
export function openReading(span: Span): Reading {
  const scope = span.scope.name
  const { flags } = span
  const isMlflow = has(span.attributes, mlflowTypeNames)
  const attributes = isMlflow ? withoutQuotes(span.attributes, flags) : span.attributes
  let parsed: Map<Names, JsonObject | null> | undefined
  return {
    span,
    attributes,
    resource: span.resource.attributes,
    flags,
    isClaudeCode: span.name.startsWith('claude_code.') || scope.startsWith('com.anthropic.claude_code'),
    isPydanticAi: scope === 'pydantic-ai' || scope.startsWith('pydantic_ai') || scope.startsWith('logfire'),
    isLangChain: scope.includes('langchain'),
    isMlflow,
    countsCacheBeside:
      scope === '@traceloop/instrumentation-anthropic' ||
      (openLitScopes.has(scope) && first(attributes, providerNames) === 'anthropic') ||
      (isMlflow && first(attributes, mlflowFormatNames) === 'anthropic'),
    isStrands: scope.startsWith('strands') || first(attributes, systemNames) === 'strands-agents',
    object(names) {
      const value = first(attributes, names)
      if (value === undefined || value === null) return null
      parsed ??= new Map()
      const known = parsed.get(names)
      if (known !== undefined) return known
      const plain = typeof value === 'string' ? parseStructure(value, flags) : toPlain(value, flags)
      const found = isObject(plain) ? plain : null
      parsed.set(names, found)
      return found
    },
  }
}
