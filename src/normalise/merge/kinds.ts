// What states the kind of a span, over all dialects.
import type { Names } from '../../otlp/names.ts'
import { anyOf } from '../../otlp/names.ts'
import type { Dialect } from './definition.ts'
import type { ByNameField } from './fields.ts'
import type { KindMarks, KindTable, OwnNames, TextSteps } from './merged.ts'

/** One table for each attribute that states types, in the order of the dialects. The words of all dialects for an operation are one table. */
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

/** In the order in which they are looked at: what calls a tool may carry a model's name as well. */
export const mergeKindMarks = (
  names: ByNameField<Names>,
  own: ByNameField<readonly OwnNames[]>,
): readonly KindMarks[] => [
  { kind: 'tool', names: names.toolMarks, own: own.toolMarks },
  { kind: 'retriever', names: names.retrieverMarks, own: own.retrieverMarks },
  { kind: 'agent', names: names.agentMarks, own: own.agentMarks },
  { kind: 'llm', names: names.llmMarks, own: own.llmMarks },
]
