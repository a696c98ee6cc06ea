// Reads from the rollups what detectors compare: recent use of tools and models against the days before, and the cost of each agent by day.

import { type Part, readRollups } from '../rollups/read.ts'
import { openReader } from '../sketches/byte-reader.ts'
import { beyond, type CellKey, type CellSums, makeCellSums } from '../sketches/cell.ts'
import { readCells } from '../sketches/cells-codec.ts'
import { type Counters, counterAt, isModelCall, makeCounters, mergeCounters } from '../sketches/counters.ts'
import { type Durations, makeDurations, mergeDurations } from '../sketches/durations.ts'
import type { Database } from '../store/database.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Number of days whose cost is examined, and number of days before them with which it is compared. */
export const costDays = 7
export const trailingDays = 14
const baselineDays = 6

/** Names and agents beyond these numbers are left out. */
const maxNames = 2_000
const maxAgents = 20_000

export type WindowSums = { readonly counters: Counters; readonly durations: Durations }

/** `lately`: since the full hour 24 hours ago. `before`: the six days before that. Together seven days. */
export type Compared = { readonly lately: WindowSums; readonly before: WindowSums }

export type WindowMeasures = {
  readonly latelyFromMs: number
  readonly tools: ReadonlyMap<string, Compared>
  /** Null: calls that name no model. */
  readonly models: ReadonlyMap<string | null, Compared>
  /** Cost in 1e-12 USD by agent and start of the UTC day. Days without a cost are left out. */
  readonly agentDays: ReadonlyMap<string, ReadonlyMap<number, number>>
}

type Into = {
  latelyFromMs: number
  beforeFromMs: number
  tools: Map<string, Compared>
  models: Map<string | null, Compared>
  agentDays: Map<string, Map<number, number>>
}

const makeSums = (): WindowSums => ({ counters: makeCounters(), durations: makeDurations() })

/** Reads the measurements in one pass over the cells of 21 days: some 100 rows. Throws Outage. */
export async function measureWindow(db: Database, workspaceId: string, nowMs: number): Promise<WindowMeasures> {
  const toMs = Math.ceil(nowMs / minuteMs) * minuteMs
  const today = Math.floor(nowMs / dayMs)
  const latelyFromMs = Math.floor(nowMs / hourMs) * hourMs - dayMs
  const beforeFromMs = latelyFromMs - baselineDays * dayMs
  const days = Array.from({ length: costDays + trailingDays }, (_, back) => (today - back) * dayMs).reverse()
  const into: Into = { latelyFromMs, beforeFromMs, tools: new Map(), models: new Map(), agentDays: new Map() }
  const window = { from: new Date(days[0] ?? 0), to: new Date(toMs) }
  const cutsMs = [...days, beforeFromMs, latelyFromMs].sort((a, b) => a - b)
  await readRollups(db, workspaceId, window, { cells: true, cutsMs }, (part) => addPart(into, part))
  return into
}

function addPart(into: Into, part: Part): void {
  if ('bucket' in part) {
    for (const cell of part.bucket.cells.list) addCell(into, part.startMs, cell, cell)
    return
  }
  if (part.cells === null) throw new Error('the rollup lacks the requested cells')
  // The sums of a cell are complete only when the next cell is requested.
  const cells: [CellKey, CellSums][] = []
  const parts = { durations: part.startMs >= into.beforeFromMs, traces: false, inputs: false }
  readCells(
    openReader(part.cells),
    parts,
    (key) => {
      const sums = makeCellSums()
      cells.push([{ ...key }, sums])
      return sums
    },
    () => null,
  )
  for (const [key, sums] of cells) addCell(into, part.startMs, key, sums)
}

function addCell(into: Into, startMs: number, key: CellKey, sums: WindowSums): void {
  addCost(into, startMs, key.agentId, sums)
  if (startMs < into.beforeFromMs) return
  const side = startMs >= into.latelyFromMs ? 'lately' : 'before'
  const compared = isModelCall(key)
    ? find(into.models, key.model)
    : key.kind === 'tool' && key.tool !== null
      ? find(into.tools, key.tool)
      : null
  if (compared === null) return
  mergeCounters(compared[side].counters, sums.counters)
  mergeDurations(compared[side].durations, sums.durations)
}

function find<Name extends string | null>(among: Map<Name, Compared>, name: Name): Compared | null {
  // The name that stands for all names beyond a bound is neither a tool nor a model.
  if (name === beyond) return null
  const known = among.get(name)
  if (known !== undefined || among.size >= maxNames) return known ?? null
  const compared = { lately: makeSums(), before: makeSums() }
  among.set(name, compared)
  return compared
}

function addCost({ agentDays }: Into, startMs: number, agentId: string, { counters }: WindowSums): void {
  const cost = counters[counterAt.costPicoUsd] ?? 0
  if (cost === 0) return
  const days = agentDays.get(agentId) ?? (agentDays.size < maxAgents ? new Map<number, number>() : null)
  if (days === null) return
  const day = Math.floor(startMs / dayMs) * dayMs
  agentDays.set(agentId, days.set(day, (days.get(day) ?? 0) + cost))
}
