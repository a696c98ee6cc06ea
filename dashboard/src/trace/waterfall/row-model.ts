// The data that all rows of a waterfall share. It changes only when one of its parts does, so that other rows are not rendered again.
import type { Axis, Zoom } from '../axis.ts'
import { type Bar, type BarMeasure, figureBar, largestOf, type NodeSums, timeBar } from '../bars.ts'
import type { Folded } from '../fold.ts'
import type { SpanTree } from '../use-spans.ts'

export type RowModel = {
  readonly tree: SpanTree
  readonly axis: Axis
  readonly zoom: Zoom
  readonly measure: BarMeasure
  readonly cost: NodeSums
  readonly tokens: NodeSums
  readonly folded: Folded
  /** 1 for the nodes on the critical path; null: the critical path is not shown. */
  readonly critical: Uint8Array | null
  /** 1 for the nodes that match the search; null: there is no search. */
  readonly matched: Uint8Array | null
}

/** Returns a function that computes the bar of a node. */
export function makeBarOf({ tree, axis, zoom, measure, cost, tokens }: RowModel): (node: number) => Bar {
  if (measure === 'duration') return (node) => timeBar(tree, axis, zoom, node)
  const sums = measure === 'cost' ? cost : tokens
  const largest = largestOf(sums)
  return (node) => figureBar(sums, largest, node)
}
