// The time axis of a trace: milliseconds to a place from 0 to 1 and back. Idle stretches can be squeezed.
import { mark, type Tree } from './tree.ts'

export type Axis = {
  /** Unix milliseconds at which the slope changes, rising; the first and the last are the ends of the axis. */
  readonly timesMs: Float64Array
  /** The places of these times, from 0 to 1. */
  readonly places: Float64Array
  /** Which pieces between two times are squeezed. */
  readonly squeezed: readonly boolean[]
}

/** What is seen of an axis, from 0 to 1. */
export type Zoom = { readonly from: number; readonly to: number }

export const wholeAxis: Zoom = { from: 0, to: 1 }

/** An idle stretch is squeezed where it is longer than this many median steps. */
const squeezeFactor = 10
/** How many median steps are left of it. */
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
 * A stretch is idle where no span without children runs: a parent that waits for a person is idle, a long call of a model
 * is not. A step is the time between two neighbouring starts or ends of such spans.
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

/** Starts and ends of the spans without children in the order of their start, and the median step in ms. */
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

/** The place of a time, from 0 to 1; times beyond the ends are put on them. */
export function placeOf({ timesMs, places }: Axis, timeMs: number): number {
  return interpolate(timesMs, places, timeMs)
}

/** The time at a place from 0 to 1. */
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

/** The part of the axis between two places, whichever is first, not narrower than a millionth. */
export function zoomBetween(a: number, b: number): Zoom {
  const from = Math.min(1 - narrowest, Math.max(0, Math.min(a, b)))
  return { from, to: Math.min(1, Math.max(from + narrowest, Math.max(a, b))) }
}

/** The part that shows one span with a tenth of room on both sides. */
export function zoomTo(tree: Tree, axis: Axis, node: number): Zoom {
  const from = placeOf(axis, tree.startMs[node] as number)
  const to = placeOf(axis, tree.endMs[node] as number)
  const room = Math.max((to - from) / 10, narrowest)
  return zoomBetween(from - room, to + room)
}

/** Times for at most `count` labels of what is seen, on round numbers counted from the start of the axis. */
export function ticksOf(axis: Axis, zoom: Zoom, count: number): number[] {
  const originMs = axis.timesMs[0] as number
  const fromMs = timeAt(axis, zoom.from) - originMs
  const toMs = timeAt(axis, zoom.to) - originMs
  const step = roundStep((toMs - fromMs) / count)
  const ticks: number[] = []
  let lastPlace = Number.NEGATIVE_INFINITY
  for (let at = Math.ceil(fromMs / step); at * step <= toMs; at += 1) {
    const place = (placeOf(axis, originMs + at * step) - zoom.from) / (zoom.to - zoom.from)
    // In a squeezed stretch round numbers crowd; those that would overlap are left out.
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

/** Whether the end of a bar is drawn as unknown. */
export const isOpen = (tree: Tree, node: number): boolean => ((tree.marks[node] as number) & mark.open) !== 0
