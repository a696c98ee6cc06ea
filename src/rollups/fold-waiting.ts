// One round of folding over all workspaces: small ones together, a busy one alone, and a bad one in nobody's way.
import { Outage } from '../base/fault.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'
import type { Postponed } from './postponed.ts'

export type Waiting = {
  readonly workspace_id: string
  readonly age_ms: number
  readonly deltas: number
  /** What was deleted waits for nobody but the purge. */
  readonly alive: boolean
}

export type RoundOptions = {
  /** Folds what waits of some workspaces, or a part of it, in one transaction. Gives how many deltas. */
  readonly fold: (workspaceIds: readonly string[]) => Promise<number>
  /** With so many deltas a workspace is folded alone. */
  readonly manyDeltas: number
  readonly postponed: Postponed
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

const workspacesAtOnce = 32

/** Folds what is given, in that order. Gives how many deltas. Throws Outage where the database is away. */
export async function foldWaiting(options: RoundOptions, waiting: readonly Waiting[]): Promise<number> {
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
    // One of them is at fault, or in another's hand.
    let deltas = 0
    for (const id of workspaceIds) if (!options.signal.aborted) deltas += await foldAlone(options, id)
    return deltas
  }
}

async function foldAlone(options: RoundOptions, workspaceId: string): Promise<number> {
  try {
    const deltas = await options.fold([workspaceId])
    options.postponed.remove(workspaceId)
    return deltas
  } catch (error) {
    // Another process was faster; there is nothing wrong with the workspace.
    if (isClash(error)) return 0
    options.postponed.add(workspaceId, performance.now())
    options.onError(error)
    return 0
  }
}

/** True where a row was changed since the snapshot: whoever did it had the workspace in hand. */
export const isClash = (error: unknown): boolean =>
  error instanceof Outage && readSqlstate(error.cause) === sqlstate.serializationFailure
