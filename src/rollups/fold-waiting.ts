// One round of folding over all workspaces: small ones together, busy ones alone, and a failing one without delaying the others.
import type { Backoff } from '../base/backoff.ts'
import { Outage } from '../base/fault.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'

export type WaitingWorkspace = {
  readonly workspace_id: string
  readonly age_ms: number
  readonly deltas: number
  /** False: the workspace was deleted, and its deltas wait for the purge. */
  readonly alive: boolean
}

export type RoundOptions = {
  /** Folds deltas of some workspaces, or a part of them, in one transaction. Returns how many. */
  readonly fold: (workspaceIds: readonly string[]) => Promise<number>
  /** A workspace with this many deltas is folded alone. */
  readonly manyDeltas: number
  readonly postponed: Backoff
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

const workspacesAtOnce = 32

/**
 * Folds the given workspaces: busy ones first, each group in the given order. Returns the number of deltas. Throws Outage if the database
 * is unavailable.
 */
export async function foldWaiting(options: RoundOptions, waiting: readonly WaitingWorkspace[]): Promise<number> {
  const { signal, manyDeltas } = options
  const small = waiting.filter(({ deltas }) => deltas < manyDeltas)
  const busy = waiting.filter(({ deltas }) => deltas >= manyDeltas)
  let deltas = 0
  for (const { workspace_id } of busy) {
    if (!signal.aborted) deltas += await foldAlone(options, workspace_id)
  }
  for (let from = 0; from < small.length && !signal.aborted; from += workspacesAtOnce) {
    const some = small.slice(from, from + workspacesAtOnce).map(({ workspace_id }) => workspace_id)
    deltas += await foldTogether(options, some)
  }
  return deltas
}

async function foldTogether(options: RoundOptions, workspaceIds: readonly string[]): Promise<number> {
  try {
    return await options.fold(workspaceIds)
  } catch (error) {
    if (error instanceof Outage && !isClash(error)) throw error
    // One of the workspaces is at fault, or another process is working on it.
    let deltas = 0
    for (const id of workspaceIds) if (!options.signal.aborted) deltas += await foldAlone(options, id)
    return deltas
  }
}

async function foldAlone(options: RoundOptions, workspaceId: string): Promise<number> {
  try {
    const deltas = await options.fold([workspaceId])
    options.postponed.succeed(workspaceId)
    return deltas
  } catch (error) {
    // Another process was faster; the workspace has no fault.
    if (isClash(error)) return 0
    options.postponed.fail(workspaceId, performance.now())
    options.onError(error)
    return 0
  }
}

/** True if a row was changed since the snapshot, by another process that works on the workspace. */
export const isClash = (error: unknown): boolean =>
  error instanceof Outage && readSqlstate(error.cause) === sqlstate.serializationFailure
