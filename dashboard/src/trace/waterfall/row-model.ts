// What all rows of a waterfall share. Made anew only when one of its parts changes, so that rows that stay are not drawn again.
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
  /** Null: the critical path is not asked for. */
  readonly critical: Uint8Array | null
  /** 1 for what the find matches; null: nothing is looked for. */
  readonly matched: Uint8Array | null
}

/** Computes the bar of a row, given the largest figures of the trace. */
export function makeBarOf({ tree, axis, zoom, measure, cost, tokens }: RowModel): (node: number) => Bar {
  if (measure === 'duration') return (node) => timeBar(tree, axis, zoom, node)
  const sums = measure === 'cost' ? cost : tokens
  const largest = largestOf(sums)
  return (node) => figureBar(sums, largest, node)
}
