// The start and the width of the bar of a row, by time, cost or tokens.
import { type Axis, placeOf, type Zoom } from './axis.ts'
import { isCall, type LightSpan, tokensOf } from './light-span.ts'
import type { Tree } from './tree.ts'

export const barMeasures = ['duration', 'cost', 'tokens'] as const
export type BarMeasure = (typeof barMeasures)[number]

/** A figure for each node: for a call its own, for any other node the sum of the calls below it. NaN: no figure is known. */
export type NodeSums = Float64Array

export const sumCost = (tree: Tree): NodeSums => sumCalls(tree, (span) => span.cost_usd)
export const sumTokens = (tree: Tree): NodeSums => sumCalls(tree, tokensOf)

/**
 * Sums the figures of calls. For nested calls, which report the same usage, the larger figure counts, never the sum.
 */
function sumCalls(tree: Tree, figureOf: (span: LightSpan) => number | null): NodeSums {
  const sums = new Float64Array(tree.size).fill(Number.NaN)
  for (let place = tree.size - 1; place >= 0; place -= 1) {
    const node = tree.order[place] as number
    const span = tree.spans[node]
    const own = span !== undefined && isCall(span.kind) ? figureOf(span) : null
    if (own !== null) sums[node] = Math.max(own, zeroIfNone(sums[node] as number))
    const above = tree.parent[node] as number
    const sum = sums[node] as number
    if (above !== -1 && !Number.isNaN(sum)) sums[above] = zeroIfNone(sums[above] as number) + sum
  }
  return sums
}

const zeroIfNone = (sum: number): number => (Number.isNaN(sum) ? 0 : sum)

/** Returns the largest figure of all nodes; 0 if there is none. */
export const largestOf = (sums: NodeSums): number => sums.reduce((most, sum) => (sum > most ? sum : most), 0)

/** The start and the width of a bar as shares of the visible part; both can be outside of 0 to 1. */
export type Bar = { readonly left: number; readonly width: number }

export function timeBar(tree: Tree, axis: Axis, zoom: Zoom, node: number): Bar {
  const seen = zoom.to - zoom.from
  const from = placeOf(axis, tree.startMs[node] as number)
  const to = placeOf(axis, tree.endMs[node] as number)
  return { left: (from - zoom.from) / seen, width: (to - from) / seen }
}

export function figureBar(sums: NodeSums, largest: number, node: number): Bar {
  const sum = zeroIfNone(sums[node] as number)
  return { left: 0, width: largest === 0 ? 0 : sum / largest }
}

/** Returns the visible part of a bar; null if no part is visible. */
export function clipBar({ left, width }: Bar): Bar | null {
  const from = Math.max(0, left)
  const to = Math.min(1, left + width)
  return from > 1 || to < 0 || from > to ? null : { left: from, width: to - from }
}
