// Builds the tree of the spans of a trace from the parent ids that they name.

export type TreeSpan = { readonly spanId: string; readonly parentSpanId: string | null; readonly startTimeUs: number }

export type TraceTree = {
  /** The index of each span's parent; -1 for a root, for a span whose parent is not among the spans, and where a cycle was cut. */
  readonly parents: readonly number[]
  /** Each index once, parents before their children. */
  readonly order: readonly number[]
  /** The number of steps from each span up to its root. */
  readonly depths: readonly number[]
  /** Ids that several spans have. */
  readonly repeatedIds: ReadonlySet<string>
  /** Returns a negative number if span `a` is older. Compares the starts, then the depths if they are given, then the span ids. */
  readonly compareAge: (a: number, b: number, depths?: readonly number[]) => number
}

/** Returns a plain array: most traces are small, and creating a typed array costs more than using it. */
export function fill(length: number, value: number): number[] {
  const list: number[] = []
  for (let at = 0; at < length; at++) list.push(value)
  return list
}

/** The most steps up that `isWithin` takes. Many spans can lie between the two, such as those of an agent that is called as a tool. */
const maxSteps = 64

/** Whether the span `index` is a descendant of `outer`, at most 64 levels below it. */
export function isWithin(parents: readonly number[], index: number, outer: number): boolean {
  let at = parents[index] ?? -1
  for (let step = 0; at >= 0 && step < maxSteps; step++) {
    if (at === outer) return true
    at = parents[at] ?? -1
  }
  return false
}

type Parents = { readonly parents: number[]; readonly repeatedIds: ReadonlySet<string> }

/** If several spans have the same id, the one that started first is the parent of the spans that name this id. */
function findParents(spans: readonly TreeSpan[], compareAge: TraceTree['compareAge']): Parents {
  const byId = new Map<string, number>()
  let repeatedIds: Set<string> | null = null
  for (let index = 0; index < spans.length; index++) {
    const { spanId } = spans[index] as TreeSpan
    const first = byId.get(spanId)
    if (first !== undefined) (repeatedIds ??= new Set()).add(spanId)
    if (first === undefined || compareAge(index, first) < 0) byId.set(spanId, index)
  }
  const parents = fill(spans.length, -1)
  for (let index = 0; index < spans.length; index++) {
    const { spanId, parentSpanId } = spans[index] as TreeSpan
    if (parentSpanId !== null && parentSpanId !== spanId) parents[index] = byId.get(parentSpanId) ?? -1
  }
  return { parents, repeatedIds: repeatedIds ?? noIds }
}

const noIds: ReadonlySet<string> = new Set()

/** Cuts a cycle above its oldest span, so that the tree does not depend on the order of the spans. */
function cutCycle(start: number, parents: number[], compareAge: TraceTree['compareAge']): void {
  let oldest = start
  for (let at = parents[start] ?? -1; at !== start && at >= 0; at = parents[at] ?? -1) {
    if (compareAge(at, oldest) < 0) oldest = at
  }
  parents[oldest] = -1
}

/** Builds the tree. Handles cycles, missing parents, repeated ids and chains of any depth. Cost: O(n). */
export function walkTree(spans: readonly TreeSpan[]): TraceTree {
  const compareAge = (a: number, b: number, depths?: readonly number[]): number => {
    const left = spans[a]
    const right = spans[b]
    if (left === undefined || right === undefined) return 0
    if (left.startTimeUs !== right.startTimeUs) return left.startTimeUs < right.startTimeUs ? -1 : 1
    const deeper = depths === undefined ? 0 : (depths[a] ?? 0) - (depths[b] ?? 0)
    if (deeper !== 0) return deeper
    return left.spanId < right.spanId ? -1 : left.spanId > right.spanId ? 1 : 0
  }
  const { parents, repeatedIds } = findParents(spans, compareAge)
  const walks = fill(spans.length, 0)
  for (let index = 0; index < spans.length; index++) {
    let at = index
    while (at >= 0 && walks[at] === 0) {
      walks[at] = index + 1
      at = parents[at] ?? -1
    }
    if (at >= 0 && walks[at] === index + 1) cutCycle(at, parents, compareAge)
  }
  const order = fill(spans.length, 0)
  const depths = fill(spans.length, -1)
  const path: number[] = []
  let placed = 0
  for (let index = 0; index < spans.length; index++) {
    for (let at = index; at >= 0 && depths[at] === -1; at = parents[at] ?? -1) path.push(at)
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      const parent = parents[at] ?? -1
      depths[at] = parent < 0 ? 0 : (depths[parent] ?? 0) + 1
      order[placed++] = at
    }
  }
  return { parents, order, depths, repeatedIds, compareAge }
}

/** Returns the index of the first time that is not before `time`. */
export function firstFrom(sorted: readonly number[], time: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const half = (low + high) >>> 1
    if ((sorted[half] as number) < time) low = half + 1
    else high = half
  }
  return low
}
