// Unreadable bytes of rollups: they are set aside, reported, and replaced by a recount of the events.
import type { Runner } from '../store/database.ts'

/** The workspace, the kind of row (delta, minute, hour, day), and the time range that is recomputed for it. */
export type CorruptRollup = {
  readonly workspaceId: string
  readonly source: string
  readonly fromMs: number
  readonly toMs: number
}

export async function setAside(tx: Runner, corrupt: CorruptRollup, body: Buffer): Promise<void> {
  const { workspaceId, source, fromMs, toMs } = corrupt
  await tx.run('rollups/set-aside', [workspaceId, source, fromMs / 1_000, toMs / 1_000, body])
}
