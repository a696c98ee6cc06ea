// Floor 3. How what a transaction changes gets into the rollups: as a row beside them, in the same transaction.
import { type Delta, encodeDelta } from '../measure/delta.ts'
import type { Runner } from '../store/database.ts'
import { pack } from './pack.ts'
import { minuteMs } from './tiers.ts'

type Row = {
  readonly workspaceId: string
  readonly fromMs: number
  readonly toMs: number
  readonly stale: readonly number[]
  readonly body: Uint8Array
}

/** Starts of minutes, in Unix milliseconds, by workspace. */
export type StaleMinutes = ReadonlyMap<string, ReadonlySet<number>>

/**
 * One insert in the caller's transaction for all workspaces; takes no lock and waits for nobody. `staleMinutes`: where something
 * may be distinct no longer, which only the events can tell. A workspace without either is left out.
 */
export async function appendDeltas(
  tx: Runner,
  deltas: ReadonlyMap<string, Delta>,
  staleMinutes: StaleMinutes = new Map(),
): Promise<void> {
  const rows = [...new Set([...deltas.keys(), ...staleMinutes.keys()])].flatMap((workspaceId) =>
    makeRow(workspaceId, deltas.get(workspaceId) ?? new Map(), staleMinutes.get(workspaceId) ?? new Set()),
  )
  if (rows.length === 0) return
  const { bytes, starts, lengths } = pack(rows.map(({ body }) => body))
  await tx.run('rollups/append-deltas', [
    rows.map(({ workspaceId }) => workspaceId),
    rows.map(({ fromMs }) => fromMs / 1_000),
    rows.map(({ toMs }) => toMs / 1_000),
    rows.map(({ stale }) => `{${stale.map((ms) => new Date(ms).toISOString()).join(',')}}`),
    starts,
    lengths,
    bytes,
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
  const body = delta.size === 0 ? Buffer.alloc(0) : encodeDelta(delta)
  return [{ workspaceId, fromMs, toMs, stale: [...staleMinutes], body }]
}
