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
  /** Folds deltas of some workspaces, or a part of them, in one transaction. Returns how many, and the workspaces with deltas left. */
  readonly fold: (workspaceIds: readonly string[]) => Promise<FoldedPart>
  /** How long workspaces with deltas left are folded again, after all were folded once. */
  readonly repeatMs: number
  /** A workspace with this many deltas is folded alone. */
  readonly manyDeltas: number
  readonly postponed: Backoff
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

export type FoldedPart = { readonly deltas: number; readonly more: ReadonlySet<string> }

const workspacesAtOnce = 32
const nothing: FoldedPart = { deltas: 0, more: new Set() }

/**
 * Folds the given workspaces: busy ones first, each group in the given order, then in turn those that have deltas left. Otherwise the deltas
 * of a busy workspace would grow in number while rounds are long. Returns the number of deltas. Throws Outage if the database is
 * unavailable.
 */
export async function foldWaiting(options: RoundOptions, waiting: readonly WaitingWorkspace[]): Promise<number> {
  const { signal, manyDeltas, repeatMs } = options
  const small = waiting.filter(({ deltas }) => deltas < manyDeltas)
  const busy = waiting.filter(({ deltas }) => deltas >= manyDeltas)
  let deltas = 0
  const left: string[] = []
  const add = (part: FoldedPart): void => {
    deltas += part.deltas
    left.push(...part.more)
  }
  for (const { workspace_id } of busy) {
    if (!signal.aborted) add(await foldAlone(options, workspace_id))
  }
  for (let from = 0; from < small.length && !signal.aborted; from += workspacesAtOnce) {
    const some = small.slice(from, from + workspacesAtOnce).map(({ workspace_id }) => workspace_id)
    for (const part of await foldTogether(options, some)) add(part)
  }
  const untilMs = performance.now() + repeatMs
  while (!signal.aborted && performance.now() < untilMs) {
    const next = left.shift()
    if (next === undefined) break
    add(await foldAlone(options, next))
  }
  return deltas
}

async function foldTogether(options: RoundOptions, workspaceIds: readonly string[]): Promise<FoldedPart[]> {
  try {
    return [await options.fold(workspaceIds)]
  } catch (error) {
    if (error instanceof Outage && !isClash(error)) throw error
    // One of the workspaces is at fault, or another process is working on it.
    const parts: FoldedPart[] = []
    for (const id of workspaceIds) if (!options.signal.aborted) parts.push(await foldAlone(options, id))
    return parts
  }
}

async function foldAlone(options: RoundOptions, workspaceId: string): Promise<FoldedPart> {
  try {
    const part = await options.fold([workspaceId])
    options.postponed.succeed(workspaceId)
    return part
  } catch (error) {
    // Another process was faster; the workspace has no fault.
    if (isClash(error)) return nothing
    options.postponed.fail(workspaceId, performance.now())
    options.onError(error)
    return nothing
  }
}

/** True if a row was changed since the snapshot, by another process that works on the workspace. */
export const isClash = (error: unknown): boolean =>
  error instanceof Outage && readSqlstate(error.cause) === sqlstate.serializationFailure
