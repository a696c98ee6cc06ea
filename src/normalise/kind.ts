// Determines the kind of a span and its operation. The first dialect that states a kind decides.
import type { Kind } from '../event/event.ts'
import { firstAnswer, isAnyTrue, isMine } from './asked-reads.ts'
import { firstText, has } from './attribute.ts'
import { readNamedCall } from './named-call.ts'
import type { Reading } from './reading.ts'
import { hasOwn, readText } from './text-steps.ts'

/**
 * Returns the kind of a span without regard to other spans. Whether an llm span only wraps another one is decided for the whole trace
 * (`resolve`). Cost: about 10 look-ups, 30 where nothing states a kind.
 */
export function readKind(reading: Reading): Kind {
  const stated = readStatedKind(reading)
  const { restatedKind, isNotRun, isRequestOnly, isEmbedding } = reading.dialects.reads
  const kind = firstAnswer(reading, restatedKind, stated) ?? stated
  if (kind === 'tool' && isAnyTrue(reading, isNotRun)) return 'other'
  if (kind !== 'llm') return kind
  if (isAnyTrue(reading, isRequestOnly)) return 'chain'
  return isAnyTrue(reading, isEmbedding) ? 'embedding' : kind
}

function readStatedKind(reading: Reading): Kind {
  const { attributes, dialects } = reading
  let isTyped = false
  for (const { names, steps, kinds, guess, isFinal } of dialects.kinds) {
    const stated = names === null ? readText(reading, steps, null) : firstText(attributes, names)
    if (stated === null) continue
    const type = stated.toLowerCase()
    const kind = kinds.get(type) ?? guess?.(type) ?? null
    if (kind !== null) return kind
    isTyped ||= isFinal
  }
  for (const { of, read } of dialects.reads.kind.reads) {
    const kind = isMine(reading, of) ? read(reading) : null
    if (kind !== null) return kind
  }
  // An unknown type or operation is still a statement: the span is not of the kind that its attributes suggest.
  if (isTyped) return 'other'
  for (const { kind, names, own } of dialects.kindMarks) {
    if (has(attributes, names) || hasOwn(reading, own)) return kind
  }
  return readNamedCall(reading)?.kind ?? 'other'
}

/**
 * Returns the operation that the sender states or that follows from other attributes, in OpenTelemetry's terms where possible; else null.
 */
export function readOperation(reading: Reading, kind: Kind): string | null {
  const { operation, impliedOperation } = reading.dialects.texts
  const stated = readText(reading, operation, kind) ?? readText(reading, impliedOperation, kind)
  if (stated !== null || (kind !== 'llm' && kind !== 'embedding')) return stated
  return readNamedCall(reading)?.operation ?? null
}
