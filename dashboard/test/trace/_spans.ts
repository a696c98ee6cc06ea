// Builders of traces for the tests of the trace view.
import type { LightSpan } from '../../src/trace/light-span.ts'

export const originMs = Date.UTC(2026, 10, 20, 14, 3, 22, 481)

type Given = Partial<Omit<LightSpan, 'start_time'>> & { readonly atMs?: number; readonly parent?: string | null }

/** Returns a span with the id `id` that starts `atMs` after the origin. */
export function span(id: string, { atMs = 0, parent = null, ...given }: Given = {}): LightSpan {
  const duration = given.duration_ms === undefined ? 10 : given.duration_ms
  const startMs = originMs + atMs
  return {
    id: `5b8efff798038103d269b633813fc60c.${id}`,
    span_id: id,
    parent_span_id: parent,
    agent_name: 'support',
    kind: 'tool',
    name: id,
    status: 'ok',
    error_type: null,
    error_message: null,
    model: null,
    tool_name: null,
    served: false,
    holdout: false,
    start_time: new Date(startMs).toISOString(),
    end_time: duration === null ? null : new Date(startMs + duration).toISOString(),
    input_tokens: null,
    output_tokens: null,
    cost_usd: null,
    ...given,
    duration_ms: duration,
  }
}

/** Returns a tree of `count` spans. Each has up to `fan` children; every hundredth has failed, and every tenth is a model call. */
export function manySpans(count: number, fan = 8): LightSpan[] {
  return Array.from({ length: count }, (_, node) =>
    span(nameSpan(node), {
      atMs: node,
      parent: node === 0 ? null : nameSpan(Math.floor((node - 1) / fan)),
      duration_ms: node === 0 ? count + 10 : 5,
      kind: node % 10 === 9 ? 'llm' : node === 0 ? 'agent' : 'tool',
      name: node % 10 === 9 ? 'chat gpt-4.1-mini' : `search_docs ${node}`,
      status: node % 100 === 50 ? 'error' : 'ok',
      agent_name: `agent ${node % 3}`,
      input_tokens: node % 10 === 9 ? 100 : null,
      output_tokens: node % 10 === 9 ? 20 : null,
      cost_usd: node % 10 === 9 ? 0.001 : null,
    }),
  )
}

const nameSpan = (node: number): string => node.toString(16).padStart(16, '0')

/** Returns the span ids of nodes. The id of a node for a missing parent is preceded by `?`. */
export const idsOf = (
  tree: { readonly spans: readonly LightSpan[]; readonly missingIds: readonly string[] },
  nodes: Iterable<number>,
): string[] =>
  [...nodes].map((node) => tree.spans[node]?.span_id ?? `?${tree.missingIds[node - tree.spans.length] ?? ''}`)
