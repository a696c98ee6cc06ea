// What kind of work a span is, by the first dialect that says so.
import type { Kind } from '../event/event.ts'
import { firstAnswer, isAnyTrue, isMine } from './asked-reads.ts'
import { firstText, has } from './attribute.ts'
import { readNamedCall } from './named-call.ts'
import type { Reading } from './reading.ts'
import { hasOwn, readText } from './text-steps.ts'

/**
 * The kind of a span by itself. That an llm span only wraps another one is found out with the whole trace (`resolve`).
 * Cost: about 10 look-ups, 30 where nothing states a kind.
 */
export function readKind(reading: Reading): Kind {
  const stated = readStatedKind(reading)
  const { restatedKind, isRequestOnly, isEmbedding } = reading.dialects.reads
  const kind = firstAnswer(reading, restatedKind, stated) ?? stated
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
  // A type or an operation that we do not know is still a statement: the span is not what its attributes suggest.
  if (isTyped) return 'other'
  for (const { kind, names, own } of dialects.kindMarks) {
    if (has(attributes, names) || hasOwn(reading, own)) return kind
  }
  return readNamedCall(reading)?.kind ?? 'other'
}

/** The operation in OpenTelemetry's words where the sender gave one or it follows; else the sender's own word, or null. */
export function readOperation(reading: Reading, kind: Kind): string | null {
  const { operation, impliedOperation } = reading.dialects.texts
  const stated = readText(reading, operation, kind) ?? readText(reading, impliedOperation, kind)
  if (stated !== null || (kind !== 'llm' && kind !== 'embedding')) return stated
  return readNamedCall(reading)?.operation ?? null
}
