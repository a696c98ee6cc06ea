// Pending work on the rollups of a workspace: requested here, done in do-work.ts. Only a process that holds the workspace adds or removes
// work, so that no transaction waits for another.
import type { Runner } from '../store/database.ts'
import { lengthMs } from './tiers.ts'

/** The number in the table. */
export const workKinds = { rebuild: 0, sumHour: 1, sumDay: 2 } as const
export type SumKind = 1 | 2

export type SumWork = { readonly workspaceId: string; readonly kind: SumKind; readonly startMs: number }

/** Requests rows of hours and days, to be made once they are over. The time of a request that exists already stays unchanged. */
export async function askForSums(tx: Runner, sums: readonly SumWork[]): Promise<void> {
  const once = [...new Map(sums.map((sum) => [`${sum.workspaceId} ${sum.kind} ${sum.startMs}`, sum])).values()]
  if (once.length === 0) return
  await tx.run('rollups/ask-for-sums', [
    once.map(({ workspaceId }) => workspaceId),
    once.map(({ kind }) => kind),
    once.map(({ startMs }) => startMs / 1_000),
    once.map(({ startMs, kind }) => (startMs + lengthMs[kind]) / 1_000),
  ])
}

export type Rebuild = { readonly workspaceId: string; readonly fromMs: number; readonly toMs: number }

/** Requests that windows of whole minutes are recomputed, after `waitMs`. */
export async function askForRebuilds(tx: Runner, rebuilds: readonly Rebuild[], waitMs: number): Promise<void> {
  const once = new Map<string, Rebuild>()
  for (const rebuild of rebuilds) {
    const key = `${rebuild.workspaceId} ${rebuild.fromMs}`
    const known = once.get(key)
    if (known === undefined || known.toMs < rebuild.toMs) once.set(key, rebuild)
  }
  if (once.size === 0) return
  const list = [...once.values()]
  await tx.run('rollups/ask-for-rebuilds', [
    list.map(({ workspaceId }) => workspaceId),
    list.map(({ fromMs }) => fromMs / 1_000),
    list.map(({ toMs }) => toMs / 1_000),
    waitMs,
  ])
}
