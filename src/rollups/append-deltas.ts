// Records the changes of a transaction to the rollups: as a delta row beside them, in the same transaction.
import { type Delta, encodeDelta, type StoredDelta } from '../sketches/delta.ts'
import type { Tx } from '../store/database.ts'
import { pack } from './pack.ts'
import { minuteMs } from './tiers.ts'

type Row = StoredDelta & {
  readonly workspaceId: string
  readonly fromMs: number
  readonly toMs: number
  readonly stale: readonly number[]
}

/** Starts of minutes in Unix milliseconds, by workspace. */
export type StaleMinutes = ReadonlyMap<string, ReadonlySet<number>>

/**
 * One insert in the caller's transaction for all workspaces; takes no lock and never waits. `staleMinutes`: minutes in which something may
 * no longer be distinct, which only the events can show. A workspace without a delta and without stale minutes is left out.
 */
export function appendDeltas(
  tx: Pick<Tx, 'send'>,
  deltas: ReadonlyMap<string, Delta>,
  staleMinutes: StaleMinutes = new Map(),
): void {
  const rows = [...new Set([...deltas.keys(), ...staleMinutes.keys()])].flatMap((workspaceId) =>
    makeRow(workspaceId, deltas.get(workspaceId) ?? new Map(), staleMinutes.get(workspaceId) ?? new Set()),
  )
  if (rows.length === 0) return
  const bodies = pack(rows.map(({ body }) => body))
  const sets = pack(rows.map((row) => row.sets))
  tx.send('rollups/append-deltas', [
    rows.map(({ workspaceId }) => workspaceId),
    rows.map(({ fromMs }) => fromMs / 1_000),
    rows.map(({ toMs }) => toMs / 1_000),
    rows.map(({ stale }) => `{${stale.map((ms) => new Date(ms).toISOString()).join(',')}}`),
    bodies.starts,
    bodies.lengths,
    bodies.bytes,
    sets.starts,
    sets.lengths,
    sets.bytes,
  ])
}

function makeRow(workspaceId: string, delta: Delta, staleMinutes: ReadonlySet<number>): Row[] {
  let fromMs = Number.POSITIVE_INFINITY
  let toMs = Number.NEGATIVE_INFINITY
  for (const minutes of [delta.keys(), staleMinutes]) {
    for (const ms of minutes) {
      fromMs = Math.min(fromMs, ms)
      toMs = Math.max(toMs, ms + minuteMs)
    }
  }
  if (fromMs > toMs) return []
  const stored = delta.size === 0 ? { body: Buffer.alloc(0), sets: null } : encodeDelta(delta)
  return [{ workspaceId, fromMs, toMs, stale: [...staleMinutes], ...stored }]
}
