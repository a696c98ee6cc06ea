// Bytes of rollups that cannot be read: set aside, told, and replaced by what the events say.
import type { Runner } from '../store/database.ts'

/** Whose, where it stood (delta, minute, hour, day), and the time that is counted anew for it. */
export type Damage = {
  readonly workspaceId: string
  readonly source: string
  readonly fromMs: number
  readonly toMs: number
}

export async function setAside(tx: Runner, damage: Damage, body: Buffer): Promise<void> {
  const { workspaceId, source, fromMs, toMs } = damage
  await tx.run('rollups/set-aside', [workspaceId, source, fromMs / 1_000, toMs / 1_000, body])
}
