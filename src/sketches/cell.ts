// A cell holds the aggregates of one agent, kind, model and tool. This file also looks cells up.
import type { Kind } from '../event/event.ts'
import { type Counters, makeCounters, mergeCounters } from './counters.ts'
import { type Distinct, makeDistinct, mergeDistinct } from './distinct.ts'
import { type Durations, makeDurations, mergeDurations } from './durations.ts'
import type { NumberSet } from './number-set.ts'

/** Null: the sender did not report it. */
export type CellKey = {
  readonly agentId: string
  readonly kind: Kind
  readonly model: string | null
  readonly tool: string | null
}

export type CellSums = {
  readonly counters: Counters
  /** Of all events, counted or not. The same holds for `traces`. */
  readonly durations: Durations
  readonly traces: Distinct
  readonly inputs: Distinct
}

/** The members of the bucket's sets that the cell has seen, by number. */
export type CellMembers = { readonly traces: NumberSet; readonly inputs: NumberSet }

export type Cell = CellKey & CellSums & { readonly members: CellMembers }

/** `list` contains the cells in the order in which they were made; `tree` finds them by agent, model and tool. */
export type Cells = {
  readonly list: Cell[]
  /** The sessions of each agent. No query needs the sessions of a model or a tool. */
  readonly sessions: Map<string, Distinct>
  readonly sessionMembers: Map<string, NumberSet>
  readonly tree: Map<string, Map<string | null, Map<string | null, Cell[]>>>
}

/** The maximum for a bucket, so that names that differ in every span cannot fill it. */
export const maxCells = 4_096
/** The model and tool of the cells that take the events beyond the maximum. */
export const beyond = 'other'

export const cellPrecision = 12

export const makeCells = (): Cells => ({
  list: [],
  sessions: new Map(),
  sessionMembers: new Map(),
  tree: new Map(),
})

export const makeCellSums = (): CellSums => ({
  counters: makeCounters(),
  durations: makeDurations(),
  traces: makeDistinct(cellPrecision),
  inputs: makeDistinct(cellPrecision),
})

/** Returns the cell of a key, and creates it if needed. Beyond 4,096 cells it returns that of the agent and kind with the names 'other'. */
export function cellOf(cells: Cells, key: CellKey): Cell {
  const { agentId, kind, model, tool } = key
  const known = cells.tree.get(agentId)?.get(model)?.get(tool)
  if (known !== undefined) for (const cell of known) if (cell.kind === kind) return cell
  if (cells.list.length >= maxCells && (model !== beyond || tool !== beyond)) {
    return cellOf(cells, { agentId, kind, model: beyond, tool: beyond })
  }
  const members = { traces: [], inputs: [] }
  const cell: Cell = { agentId, kind, model, tool, ...makeCellSums(), members }
  cells.list.push(cell)
  const byModel = cells.tree.get(agentId) ?? new Map<string | null, Map<string | null, Cell[]>>()
  const byTool = byModel.get(model) ?? new Map<string | null, Cell[]>()
  cells.tree.set(agentId, byModel.set(model, byTool.set(tool, [...(known ?? []), cell])))
  return cell
}

/** Returns the session sketch of an agent, and creates it if needed. */
export function sessionsOf({ sessions }: Cells, agentId: string): Distinct {
  const known = sessions.get(agentId)
  if (known !== undefined) return known
  const distinct = makeDistinct(cellPrecision)
  sessions.set(agentId, distinct)
  return distinct
}

/** Returns the members of the bucket's sessions that an agent has seen, and creates the set if needed. */
export function sessionMembersOf({ sessionMembers }: Cells, agentId: string): NumberSet {
  const known = sessionMembers.get(agentId)
  if (known !== undefined) return known
  const members: NumberSet = []
  sessionMembers.set(agentId, members)
  return members
}

export function mergeSums(into: CellSums, from: CellSums): void {
  mergeCounters(into.counters, from.counters)
  mergeDurations(into.durations, from.durations)
  mergeDistinct(into.traces, from.traces)
  mergeDistinct(into.inputs, from.inputs)
}
