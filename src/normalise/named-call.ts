// Recognizes a failed model call that only the name of its span describes.
import type { Kind } from '../event/event.ts'
import type { Reading } from './reading.ts'

export type NamedCall = { readonly kind: Kind; readonly operation: string; readonly model: string }

/** OpenTelemetry names the span of a call `{operation} {model}`. */
const callName = /^(chat|text_completion|generate_content|embeddings) (\S+)$/
const clientKind = 3

/**
 * Returns the operation and the model in the name of a failed span; null for other spans. Some instrumentations set their attributes with
 * the response, so that a call without a response has none. Call it only where no attribute states a kind or a model. A span that has other
 * attributes must be of the client kind. Cost: a comparison on a span that did not fail.
 */
export function readNamedCall({ span }: Reading): NamedCall | null {
  if (span.statusCode !== 2 || (span.attributes.size > 0 && span.spanKind !== clientKind)) return null
  const [, operation, model] = callName.exec(span.name) ?? []
  if (operation === undefined || model === undefined) return null
  return { kind: operation === 'embeddings' ? 'embedding' : 'llm', operation, model }
}
