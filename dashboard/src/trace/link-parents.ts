// Who is whose parent: by span id, with circles cut and a node for each parent that was not received.
import type { LightSpan } from './light-span.ts'

export type Linked = {
  /** Of the spans, then of the nodes for missing parents; -1: none. */
  readonly parent: Int32Array
  /** Span ids of the missing parents, in the order of their first child. */
  readonly missingIds: readonly string[]
  /** Spans whose parent was taken from them to cut a circle. */
  readonly cut: readonly number[]
}

export function linkParents(spans: readonly LightSpan[]): Linked {
  const nodeOf = new Map<string, number>()
  // Of spans that share an id, the earliest is the parent: it is the one that an id alone leads to.
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

/** Makes the earliest span of each circle a root. Each node is walked over once. */
function cutCycles(parent: Int32Array, spanCount: number): number[] {
  const cut: number[] = []
  // The walk that came here first; 0: none yet.
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
