// The layout of the timeline: a lane for each agent, in which spans are below their parents and do not overlap.
import { clockMs, type Tree } from './tree.ts'

export type Lane = {
  readonly agent: string
  /** The first row of the lane among all rows. */
  readonly top: number
  readonly rows: number
}

export type Lanes = {
  readonly lanes: readonly Lane[]
  /** The row of each span among all rows; -1 for the nodes of missing parents. */
  readonly rowOf: Int32Array
  readonly rows: number
}

/** The most rows of a lane. Further parallel spans share its last row. */
const maxRows = 40

/** Places spans in the order of their start, each in the first free row of its lane below its parent. */
export function layOutLanes(tree: Tree): Lanes {
  const lastOf = new Map<string, Box[]>()
  const local = new Int32Array(tree.size).fill(-1)
  for (const [node, { agent_name: agent }] of tree.spans.entries()) {
    const rows = lastOf.get(agent) ?? []
    lastOf.set(agent, rows)
    const [startMs, endMs] = [tree.startMs[node] as number, tree.endMs[node] as number]
    const row = firstFreeRow(rows, leastRow(tree, local, node, agent), startMs)
    local[node] = row
    rows[row] = { startMs, endMs: Math.max(rows[row]?.endMs ?? endMs, endMs) }
  }
  const lanes: Lane[] = []
  let top = 0
  for (const [agent, rows] of lastOf) {
    lanes.push({ agent, top, rows: rows.length })
    top += rows.length
  }
  const topOf = new Map(lanes.map((lane) => [lane.agent, lane.top]))
  const rowOf = local.map((row, node) => (row === -1 ? -1 : row + (topOf.get(tree.spans[node]?.agent_name ?? '') ?? 0)))
  return { lanes, rowOf, rows: top }
}

function leastRow(tree: Tree, local: Int32Array, node: number, agent: string): number {
  const above = tree.parent[node] as number
  const isSame = above !== -1 && tree.spans[above]?.agent_name === agent
  return isSame ? Math.min(maxRows - 1, (local[above] as number) + 1) : 0
}

/** The content of a row so far: the start of its last span and the latest end. */
type Box = { readonly startMs: number; readonly endMs: number }

const nothing: Box = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.NEGATIVE_INFINITY }

function firstFreeRow(rows: Box[], least: number, startMs: number): number {
  for (let row = least; row < maxRows - 1; row += 1) {
    while (rows.length <= row) rows.push(nothing)
    if (isFree(rows[row] ?? nothing, startMs)) return row
  }
  return maxRows - 1
}

/** A span may seem to end up to `clockMs` after the next one starts, because starts are truncated to milliseconds. */
const isFree = (last: Box, startMs: number): boolean =>
  last.endMs <= startMs || (last.startMs < startMs && last.endMs < startMs + clockMs)

/** Returns the span that is drawn at a row and a time, within `slackMs`; the shortest one if several overlap; -1 if none. */
export function spanAt(tree: Tree, { rowOf }: Lanes, row: number, timeMs: number, slackMs: number): number {
  let found = -1
  for (const [node, each] of rowOf.entries()) {
    if (each !== row) continue
    const [startMs, endMs] = [tree.startMs[node] as number, tree.endMs[node] as number]
    if (timeMs < startMs - slackMs || timeMs > endMs + slackMs) continue
    if (found === -1 || endMs - startMs < (tree.endMs[found] as number) - (tree.startMs[found] as number)) found = node
  }
  return found
}
