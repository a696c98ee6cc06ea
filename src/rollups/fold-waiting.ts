// Floor 3. One round of folding over all workspaces: small ones together, a busy one alone, and a bad one in nobody's way.
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'
import { type FoldLimits, foldDeltas } from './fold-deltas.ts'
import type { Postponed } from './postponed.ts'

export type Waiting = {
  readonly workspace_id: string
  readonly age_ms: number
  readonly deltas: number
  /** What was deleted waits for nobody but the purge. */
  readonly alive: boolean
}

export type RoundOptions = {
  readonly db: Database
  readonly limits: FoldLimits
  readonly postponed: Postponed
  readonly signal: AbortSignal
  readonly onFolded: (folded: { readonly deltas: number; readonly minutes: number }) => void
  readonly onError: (error: unknown) => void
}

/** With so many deltas a workspace does not wait for them to get old, and is folded alone: every read adds them up. */
export const manyDeltas = 16
const workspacesAtOnce = 32

/** Folds what is given, in that order. Gives how many deltas. Throws Outage where the database is away. */
export async function foldWaiting(options: RoundOptions, waiting: readonly Waiting[]): Promise<number> {
  const { signal } = options
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
    return await fold(options, workspaceIds)
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
    const deltas = await fold(options, [workspaceId])
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

async function fold(options: RoundOptions, workspaceIds: readonly string[]): Promise<number> {
  const folded = await foldDeltas(options.db, workspaceIds, options.limits)
  options.onFolded(folded)
  return folded.deltas
}

/** True where a row was changed since the snapshot: whoever did it had the workspace in hand. */
export const isClash = (error: unknown): boolean =>
  error instanceof Outage && readSqlstate(error.cause) === sqlstate.serializationFailure
