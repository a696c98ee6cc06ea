// The time axis of a trace: converts milliseconds to a position from 0 to 1 and back. Idle intervals can be compressed.
import { mark, type Tree } from './tree.ts'

export type Axis = {
  /** The Unix milliseconds at which the slope changes, in ascending order; the first and the last are the ends of the axis. */
  readonly timesMs: Float64Array
  /** The positions of these times, from 0 to 1. */
  readonly places: Float64Array
  /** Which intervals between two of these times are compressed. */
  readonly squeezed: readonly boolean[]
}

/** The visible part of an axis, as positions from 0 to 1. */
export type Zoom = { readonly from: number; readonly to: number }

export const wholeAxis: Zoom = { from: 0, to: 1 }

/** An idle interval is compressed if it is longer than this many median steps. */
const squeezeFactor = 10
/** The width of a compressed interval, in median steps. */
const squeezedSteps = 2

export function makeAxis(tree: Tree, isCompressed: boolean): Axis {
  const { fromMs } = tree
  const toMs = Math.max(tree.toMs, fromMs + 0.001)
  const plain: Axis = {
    timesMs: Float64Array.of(fromMs, toMs),
    places: Float64Array.of(0, 1),
    squeezed: [false],
  }
  return isCompressed ? squeeze(tree, plain) : plain
}

/**
 * Compresses the intervals in which no span without children runs: a parent that waits for a person is idle, a long call of a model
 * is not. A step is the time between two neighbouring starts or ends of spans without children.
 */
function squeeze(tree: Tree, plain: Axis): Axis {
  const { starts, ends, step } = readLeaves(tree)
  const limit = step * squeezeFactor
  const rest = step * squeezedSteps
  if (step === 0) return plain
  const times = [plain.timesMs[0] as number]
  const widths: number[] = []
  const squeezed: boolean[] = []
  const push = (untilMs: number, width: number, isSqueezed: boolean): void => {
    if (untilMs <= (times.at(-1) as number)) return
    times.push(untilMs)
    widths.push(width)
    squeezed.push(isSqueezed)
  }
  const pass = (untilMs: number): void => push(untilMs, untilMs - (times.at(-1) as number), false)
  let busyUntil = plain.timesMs[0] as number
  const skip = (idleUntil: number): void => {
    if (idleUntil - busyUntil <= limit) return
    pass(busyUntil)
    push(idleUntil, rest, true)
  }
  for (const [at, start] of starts.entries()) {
    skip(start)
    busyUntil = Math.max(busyUntil, ends[at] as number)
  }
  const toMs = plain.timesMs[1] as number
  skip(toMs)
  pass(toMs)
  return { timesMs: Float64Array.from(times), places: sumShares(widths), squeezed }
}

function sumShares(widths: readonly number[]): Float64Array {
  const total = widths.reduce((sum, width) => sum + width, 0)
  const places = new Float64Array(widths.length + 1)
  for (const [at, width] of widths.entries()) places[at + 1] = (places[at] as number) + width / total
  places[widths.length] = 1
  return places
}

/** Returns the starts and ends of the spans without children, in the order of their start, and the median step in milliseconds. */
function readLeaves(tree: Tree): { starts: Float64Array; ends: Float64Array; step: number } {
  const leaves = tree.spans.keys().filter((node) => tree.firstChild[node] === -1)
  const nodes = Int32Array.from(leaves).sort((a, b) => (tree.startMs[a] as number) - (tree.startMs[b] as number))
  const starts = Float64Array.from(nodes, (node) => tree.startMs[node] as number)
  const ends = Float64Array.from(nodes, (node) => tree.endMs[node] as number)
  const edges = new Float64Array(nodes.length * 2)
  edges.set(starts)
  edges.set(ends, nodes.length)
  edges.sort()
  const steps = Float64Array.from(edges.subarray(1), (edge, at) => edge - (edges[at] as number))
    .filter((width) => width > 0)
    .sort()
  return { starts, ends, step: steps[steps.length >> 1] ?? 0 }
}

/** Returns the position of a time in Unix milliseconds, from 0 to 1. Times beyond an end of the axis have its position. */
export function placeOf({ timesMs, places }: Axis, timeMs: number): number {
  return interpolate(timesMs, places, timeMs)
}

/** Returns the time, in Unix milliseconds, at a position from 0 to 1. */
export function timeAt({ timesMs, places }: Axis, place: number): number {
  return interpolate(places, timesMs, place)
}

function interpolate(from: Float64Array, to: Float64Array, value: number): number {
  const last = from.length - 1
  if (value <= (from[0] as number)) return to[0] as number
  if (value >= (from[last] as number)) return to[last] as number
  let low = 0
  let high = last
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((from[middle] as number) <= value) low = middle
    else high = middle
  }
  const share = (value - (from[low] as number)) / ((from[high] as number) - (from[low] as number))
  return (to[low] as number) + share * ((to[high] as number) - (to[low] as number))
}

const narrowest = 1e-6

/** Returns the part of the axis between two positions, given in either order. It is at least a millionth wide. */
export function zoomBetween(a: number, b: number): Zoom {
  const from = Math.min(1 - narrowest, Math.max(0, Math.min(a, b)))
  return { from, to: Math.min(1, Math.max(from + narrowest, Math.max(a, b))) }
}

/** Returns the part that shows one span, with a tenth of its width on both sides. */
export function zoomTo(tree: Tree, axis: Axis, node: number): Zoom {
  const from = placeOf(axis, tree.startMs[node] as number)
  const to = placeOf(axis, tree.endMs[node] as number)
  const room = Math.max((to - from) / 10, narrowest)
  return zoomBetween(from - room, to + room)
}

/** Returns the times of about `count` labels of the visible part: round numbers of milliseconds since the start of the axis. */
export function ticksOf(axis: Axis, zoom: Zoom, count: number): number[] {
  const originMs = axis.timesMs[0] as number
  const fromMs = timeAt(axis, zoom.from) - originMs
  const toMs = timeAt(axis, zoom.to) - originMs
  const step = roundStep((toMs - fromMs) / count)
  const ticks: number[] = []
  let lastPlace = Number.NEGATIVE_INFINITY
  for (let at = Math.ceil(fromMs / step); at * step <= toMs; at += 1) {
    const place = (placeOf(axis, originMs + at * step) - zoom.from) / (zoom.to - zoom.from)
    // Round numbers lie close together in a compressed interval; labels that would overlap are left out.
    if (place - lastPlace < 0.5 / count) continue
    ticks.push(at * step)
    lastPlace = place
  }
  return ticks
}

const roundSteps = [1, 2, 5]
const clockStepsMs = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1_000)

function roundStep(leastMs: number): number {
  const clock = clockStepsMs.find((step) => step >= leastMs)
  if (clock !== undefined && leastMs > 500) return clock
  const power = 10 ** Math.floor(Math.log10(Math.max(leastMs, 1e-3)))
  return (roundSteps.find((step) => step * power >= leastMs) ?? 10) * power
}

/** Whether the end of a span is unknown, and is drawn so. */
export const isOpen = (tree: Tree, node: number): boolean => ((tree.marks[node] as number) & mark.open) !== 0
