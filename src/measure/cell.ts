// What is known of the events of one agent, kind, model and tool, and how such cells are found.
import type { Kind } from '../event/event.ts'
import { type Counters, makeCounters, mergeCounters } from './counters.ts'
import { type Distinct, makeDistinct, mergeDistinct } from './distinct.ts'
import { type Durations, makeDurations, mergeDurations } from './durations.ts'
import type { NumberSet } from './number-set.ts'

/** Null: the sender did not tell. */
export type CellKey = {
  readonly agentId: string
  readonly kind: Kind
  readonly model: string | null
  readonly tool: string | null
}

export type CellSums = {
  readonly counters: Counters
  /** Of all events, counted or not, as the traces are. */
  readonly durations: Durations
  readonly traces: Distinct
  readonly inputs: Distinct
}

/** Which members of the bucket's sets it has seen, by their numbers. */
export type CellMembers = { readonly traces: NumberSet; readonly inputs: NumberSet }

export type Cell = CellKey & CellSums & { readonly members: CellMembers }

/** `list` has them in the order in which they were made; `tree` leads to each by agent, model, tool. */
export type Cells = {
  readonly list: Cell[]
  /** The sessions of each agent: nobody asks for those of a model or a tool. */
  readonly sessions: Map<string, Distinct>
  readonly sessionMembers: Map<string, NumberSet>
  readonly tree: Map<string, Map<string | null, Map<string | null, Cell[]>>>
}

/** What a bucket holds at most, so that names which are never the same twice cannot fill it. */
export const maxCells = 4_096
/** The model and tool of the cells that take what comes beyond. */
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

/** The cell of a key, made where there is none. Beyond 4,096 of them, that of its agent and kind with the names 'other'. */
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

/** The sessions of an agent, made where there are none. */
export function sessionsOf({ sessions }: Cells, agentId: string): Distinct {
  const known = sessions.get(agentId)
  if (known !== undefined) return known
  const distinct = makeDistinct(cellPrecision)
  sessions.set(agentId, distinct)
  return distinct
}

/** Which members of the bucket's sessions an agent has seen. */
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
