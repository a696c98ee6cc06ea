// Links spans to their parents by span id, cuts cycles, and adds a node for each parent that was not received.
import type { LightSpan } from './light-span.ts'

export type Linked = {
  /** The parent of each span, then of each node for a missing parent; -1: none. */
  readonly parent: Int32Array
  /** Span ids of the missing parents, in the order of their first child. */
  readonly missingIds: readonly string[]
  /** Spans whose parent was removed to cut a cycle. */
  readonly cut: readonly number[]
}

export function linkParents(spans: readonly LightSpan[]): Linked {
  const nodeOf = new Map<string, number>()
  // If several spans share an id, the earliest is the parent: a URL with this id alone also leads to it.
  for (let node = spans.length - 1; node >= 0; node -= 1) nodeOf.set((spans[node] as LightSpan).span_id, node)
  const missing = new Map<string, number>()
  const parents = new Int32Array(spans.length)
  for (const [node, { parent_span_id: id }] of spans.entries()) {
    parents[node] = id === null ? -1 : (nodeOf.get(id) ?? -1)
    if (id === null || parents[node] !== -1) continue
    const known = missing.get(id) ?? spans.length + missing.size
    missing.set(id, known)
    parents[node] = known
  }
  const parent = new Int32Array(spans.length + missing.size).fill(-1)
  parent.set(parents)
  return { parent, missingIds: [...missing.keys()], cut: cutCycles(parent, spans.length) }
}

/** Makes the earliest span of each cycle a root. Each node is visited once. */
function cutCycles(parent: Int32Array, spanCount: number): number[] {
  const cut: number[] = []
  // The walk that visited each node first; 0: none yet.
  const seenBy = new Int32Array(parent.length)
  for (let start = 0; start < spanCount; start += 1) {
    const walk = start + 1
    let node = start
    while (node !== -1 && seenBy[node] === 0) {
      seenBy[node] = walk
      node = parent[node] as number
    }
    if (node === -1 || seenBy[node] !== walk) continue
    let earliest = node
    for (let other = parent[node] as number; other !== node; other = parent[other] as number)
      earliest = Math.min(earliest, other)
    parent[earliest] = -1
    cut.push(earliest)
  }
  return cut
}
