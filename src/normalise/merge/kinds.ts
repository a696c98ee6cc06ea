// Merges what states the kind of a span in all dialects.
import type { Names } from '../../event/names.ts'
import { anyOf } from '../../event/names.ts'
import type { Dialect } from './definition.ts'
import type { ByNameField } from './fields.ts'
import type { KindMarks, KindTable, OwnNames, TextSteps } from './merged.ts'

/**
 * Returns one table for each attribute that states types, in the order of the dialects. That of the operation has all dialects' operations.
 */
export function mergeKinds(dialects: readonly Dialect[], operation: TextSteps): readonly KindTable[] {
  const words = dialects.flatMap(({ operations }) => Object.entries(operations ?? {}))
  return dialects
    .flatMap(({ kinds }) => kinds ?? [])
    .map(({ attribute, kinds, guess, isFinal }) => ({
      ...(attribute === undefined ? { names: null, steps: operation } : { names: anyOf(attribute), steps: null }),
      kinds: new Map([...Object.entries(kinds), ...(attribute === undefined ? words : [])]),
      guess: guess ?? null,
      isFinal: isFinal ?? false,
    }))
}

/** Returns the marks in the order in which they are checked. Tools come first: the call of a tool may have the name of a model as well. */
export const mergeKindMarks = (
  names: ByNameField<Names>,
  own: ByNameField<readonly OwnNames[]>,
): readonly KindMarks[] => [
  { kind: 'tool', names: names.toolMarks, own: own.toolMarks },
  { kind: 'retriever', names: names.retrieverMarks, own: own.retrieverMarks },
  { kind: 'agent', names: names.agentMarks, own: own.agentMarks },
  { kind: 'llm', names: names.llmMarks, own: own.llmMarks },
]
