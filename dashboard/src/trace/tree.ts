// The tree of a trace in typed arrays. A node is a number. The first nodes are the spans, in the order of their start; the others
// stand for parents that were not received, one node each.
import type { LightSpan } from './light-span.ts'
import { linkParents } from './link-parents.ts'

export const mark = {
  /** The end is not known. */
  open: 1,
  /** Starts before its parent: the clocks of two machines differ. */
  early: 2,
  /** Its parents form a cycle, which is cut above this span. */
  cycleCut: 4,
  /** Stands for a parent that was not received. */
  missing: 8,
  error: 16,
} as const

export type Tree<S extends LightSpan = LightSpan> = {
  readonly spans: readonly S[]
  /** The span ids of the nodes for missing parents. */
  readonly missingIds: readonly string[]
  /** The number of nodes. */
  readonly size: number
  /** -1: none. */
  readonly parent: Int32Array
  readonly firstChild: Int32Array
  readonly next: Int32Array
  readonly depth: Int32Array
  /** Nodes from the top row to the bottom row when nothing is folded. */
  readonly order: Int32Array
  /** The index of each node in `order`. */
  readonly rank: Int32Array
  /** The number of nodes in the subtree of each node, including itself. */
  readonly reach: Int32Array
  readonly marks: Uint8Array
  /** Unix milliseconds. */
  readonly startMs: Float64Array
  /** Unix milliseconds. For an open span, the latest known time of the span or its descendants. */
  readonly endMs: Float64Array
  readonly fromMs: number
  readonly toMs: number
}

/** Starts are truncated to whole milliseconds and durations are not, so two times that differ by less may be in either order. */
export const clockMs = 1

/** Builds the tree in time linear in the number of spans. Cycles of parents and missing parents leave no span out. */
export function buildTree<S extends LightSpan>(spans: readonly S[]): Tree<S> {
  const { parent, missingIds, cut } = linkParents(spans)
  const size = parent.length
  const marks = new Uint8Array(size)
  const startMs = new Float64Array(size)
  const endMs = new Float64Array(size)
  readSpans(spans, marks, startMs, endMs)
  for (const node of cut) marks[node] = (marks[node] as number) | mark.cycleCut
  const { firstChild, next, first } = linkChildren(parent, spans.length)
  const { order, rank, depth, reach } = walk(parent, firstChild, next, first)
  spanMissing(spans.length, firstChild, marks, startMs, endMs)
  stretchOpen(order, parent, marks, startMs, endMs, spans.length)
  markEarly(parent, marks, startMs, spans.length)
  let fromMs = Number.POSITIVE_INFINITY
  let toMs = Number.NEGATIVE_INFINITY
  for (let node = 0; node < spans.length; node += 1) {
    fromMs = Math.min(fromMs, startMs[node] as number)
    toMs = Math.max(toMs, endMs[node] as number)
  }
  if (spans.length === 0) fromMs = toMs = 0
  return {
    spans,
    missingIds,
    size,
    parent,
    firstChild,
    next,
    depth,
    order,
    rank,
    reach,
    marks,
    startMs,
    endMs,
    fromMs,
    toMs,
  }
}

function readSpans(spans: readonly LightSpan[], marks: Uint8Array, startMs: Float64Array, endMs: Float64Array): void {
  for (const [node, span] of spans.entries()) {
    const start = Date.parse(span.start_time)
    startMs[node] = start
    endMs[node] = start + (span.duration_ms ?? 0)
    marks[node] = (span.duration_ms === null ? mark.open : 0) | (span.status === 'error' ? mark.error : 0)
  }
}

/** Links children in the order of their start. Nodes for missing parents are roots, at the position of their first child. */
function linkChildren(
  parent: Int32Array,
  spanCount: number,
): { firstChild: Int32Array; next: Int32Array; first: number } {
  const firstChild = new Int32Array(parent.length).fill(-1)
  const next = new Int32Array(parent.length).fill(-1)
  let first = -1
  for (let node = spanCount - 1; node >= 0; node -= 1) {
    const above = parent[node] as number
    if (above === -1) continue
    next[node] = firstChild[above] as number
    firstChild[above] = node
  }
  const placed = new Uint8Array(parent.length)
  let last = -1
  const append = (node: number): void => {
    if (last === -1) first = node
    else next[last] = node
    last = node
  }
  for (let node = 0; node < spanCount; node += 1) {
    const above = parent[node] as number
    if (above === -1) append(node)
    else if (above >= spanCount && placed[above] === 0) {
      placed[above] = 1
      append(above)
    }
  }
  return { firstChild, next, first }
}

function walk(parent: Int32Array, firstChild: Int32Array, next: Int32Array, first: number) {
  const size = parent.length
  const order = new Int32Array(size)
  const rank = new Int32Array(size)
  const depth = new Int32Array(size)
  const reach = new Int32Array(size).fill(1)
  let at = 0
  let node = first
  while (node !== -1) {
    const above = parent[node] as number
    depth[node] = above === -1 ? 0 : (depth[above] as number) + 1
    rank[node] = at
    order[at] = node
    at += 1
    if (firstChild[node] !== -1) {
      node = firstChild[node] as number
      continue
    }
    while (node !== -1 && next[node] === -1) node = parent[node] as number
    if (node !== -1) node = next[node] as number
  }
  for (let place = size - 1; place >= 0; place -= 1) {
    const done = order[place] as number
    const above = parent[done] as number
    if (above !== -1) reach[above] = (reach[above] as number) + (reach[done] as number)
  }
  return { order, rank, depth, reach }
}

/** Gives each node for a missing parent the start of its first child. `stretchOpen` extends its end like that of an open span. */
function spanMissing(
  spanCount: number,
  firstChild: Int32Array,
  marks: Uint8Array,
  startMs: Float64Array,
  endMs: Float64Array,
): void {
  for (let node = spanCount; node < marks.length; node += 1) {
    marks[node] = mark.missing
    startMs[node] = endMs[node] = startMs[firstChild[node] as number] as number
  }
}

function stretchOpen(
  order: Int32Array,
  parent: Int32Array,
  marks: Uint8Array,
  startMs: Float64Array,
  endMs: Float64Array,
  spanCount: number,
): void {
  for (let place = order.length - 1; place >= 0; place -= 1) {
    const node = order[place] as number
    const above = parent[node] as number
    if (above === -1 || ((marks[above] as number) & (mark.open | mark.missing)) === 0) continue
    endMs[above] = Math.max(endMs[above] as number, endMs[node] as number)
    if (above >= spanCount) startMs[above] = Math.min(startMs[above] as number, startMs[node] as number)
  }
}

function markEarly(parent: Int32Array, marks: Uint8Array, startMs: Float64Array, spanCount: number): void {
  for (let node = 0; node < spanCount; node += 1) {
    const above = parent[node] as number
    if (above === -1 || above >= spanCount) continue
    if ((startMs[node] as number) + clockMs < (startMs[above] as number))
      marks[node] = (marks[node] as number) | mark.early
  }
}
