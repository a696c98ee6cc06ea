// Reads and removes the deltas of some workspaces, and adds them up by minute for their rows.
import { NewerFormat } from '../sketches/byte-reader.ts'
import { type Delta, mergeStoredDelta } from '../sketches/delta.ts'
import type { Tx } from '../store/database.ts'
import { type CorruptRollup, setAside } from './corrupt-rollup.ts'
import { minuteMs } from './tiers.ts'
import { askForRebuilds, type Rebuild } from './work.ts'

type DeltaRow = {
  readonly workspace_id: string
  readonly id: number
  readonly from_s: number
  readonly to_s: number
  readonly stale_s: readonly number[]
  readonly body: Buffer
  readonly sets: Buffer | null
}

export type TakenDeltas = {
  /** The sum of the deltas of each workspace. */
  readonly byWorkspace: ReadonlyMap<string, Delta>
  readonly deltas: number
  /** Workspaces with deltas left. */
  readonly more: ReadonlySet<string>
  /** Minutes that can only be recomputed from their events. */
  readonly stale: readonly Rebuild[]
}

export type TakeOptions = {
  /** Per workspace. */
  readonly maxDeltas: number
  /** Per workspace; the delta that exceeds the limit is still taken whole. */
  readonly maxMinutes: number
  readonly onDamage: (corrupt: CorruptRollup) => void
}

/**
 * Runs in a snapshot, for workspaces that are held. Takes whole deltas, the oldest first. A damaged delta is set aside, and its window will
 * be recomputed from events. Throws NewerFormat if a newer release wrote one: all of them wait for that release.
 */
export async function takeDeltas(tx: Tx, workspaceIds: readonly string[], options: TakeOptions): Promise<TakenDeltas> {
  const rows = await tx.rows<DeltaRow>('rollups/take-deltas', [workspaceIds, options.maxDeltas + 1])
  const byWorkspace = new Map<string, Delta>()
  const lastIds = new Map<string, number>()
  const more = new Set<string>()
  const stale: Rebuild[] = []
  let deltas = 0
  for (const [workspaceId, own] of Map.groupBy(rows, (row) => row.workspace_id)) {
    const { sum, taken, damaged } = addUp(own, options)
    for (const row of damaged) await replaceDamaged(tx, row, options)
    for (const second of taken.flatMap(({ stale_s }) => stale_s)) {
      stale.push({ workspaceId, fromMs: second * 1_000, toMs: second * 1_000 + minuteMs })
    }
    const last = taken.at(-1)
    if (last !== undefined) lastIds.set(workspaceId, last.id)
    if (taken.length < own.length) more.add(workspaceId)
    deltas += taken.length
    byWorkspace.set(workspaceId, sum)
  }
  if (lastIds.size > 0) await tx.run('rollups/delete-deltas', [[...lastIds.keys()], [...lastIds.values()]])
  return { byWorkspace, deltas, more, stale }
}

type Sum = { readonly sum: Delta; readonly taken: readonly DeltaRow[]; readonly damaged: ReadonlySet<DeltaRow> }

/**
 * Adds up as many as fit, the oldest first. A damaged delta leaves a part of itself in the sum, so everything is then added up again
 * without it.
 */
function addUp(rows: readonly DeltaRow[], { maxDeltas, maxMinutes }: TakeOptions): Sum {
  const damaged = new Set<DeltaRow>()
  for (;;) {
    const sum: Delta = new Map()
    const taken: DeltaRow[] = []
    const known = damaged.size
    for (const row of rows) {
      if (taken.length === maxDeltas || sum.size >= maxMinutes || damaged.size > known) break
      taken.push(row)
      if (row.body.length > 0 && !damaged.has(row) && !add(sum, row)) damaged.add(row)
    }
    if (damaged.size === known) return { sum, taken, damaged }
  }
}

/** Returns false if the bytes are damaged; a part of them may have been added. */
function add(sum: Delta, row: DeltaRow): boolean {
  try {
    mergeStoredDelta(sum, row)
    return true
  } catch (error) {
    if (error instanceof NewerFormat) throw error
    // The bytes are set aside, so the cause can be examined there.
    return false
  }
}

async function replaceDamaged(tx: Tx, row: DeltaRow, { onDamage }: TakeOptions): Promise<void> {
  const corrupt = { workspaceId: row.workspace_id, source: 'delta', fromMs: row.from_s * 1_000, toMs: row.to_s * 1_000 }
  await setAside(tx, corrupt, Buffer.concat([row.body, ...(row.sets === null ? [] : [row.sets])]))
  await askForRebuilds(tx, [corrupt], 0)
  onDamage(corrupt)
}
