// The loop that keeps the rollups up to date: folds deltas, sums up hours and days that are over, and recomputes stale minutes. Any number
// of processes may run it: each skips the workspaces that another one is working on.

import { type BackoffOptions, makeBackoff } from '../base/backoff.ts'
import { nilUuid } from '../base/ids.ts'
import { pause } from '../base/pause.ts'
import type { Database } from '../store/database.ts'
import type { CorruptRollup } from './corrupt-rollup.ts'
import { doWork, type WorkDone, type WorkLimits } from './do-work.ts'
import { foldDeltas } from './fold-deltas.ts'
import { type FoldedPart, foldWaiting, isClash, type WaitingWorkspace } from './fold-waiting.ts'
import { foldScopes } from './scopes/fold-scopes.ts'

export type FoldingOptions = {
  readonly db: Database
  /** Called at the start of a round: how many deltas wait, and for how long the oldest one has. */
  readonly onWaiting: (waiting: { readonly deltas: number; readonly lagMs: number }) => void
  readonly onFolded: (folded: { readonly deltas: number; readonly minutes: number }) => void
  readonly onDone: (done: WorkDone) => void
  /** Called after each round in which the database answered. Workspaces that failed in it were reported and wait. */
  readonly onRound: () => void
  readonly onDamage: (corrupt: CorruptRollup) => void
  readonly onError: (error: unknown) => void
  /** Age of the oldest delta of a workspace at which it is folded. A higher value means fewer writes of rows. */
  readonly foldAfterMs?: number
  readonly pauseMs?: number
}

export type Folding = { stop(): Promise<void> }

/** Of workspaces whose rollup work failed. */
export const backoffOfWorkspaces: BackoffOptions = { firstDelayMs: 1_000, maxDelayMs: 600_000, maxKeys: 1_000 }

// Limits for the memory of a transaction and for how long it holds a workspace: some thousand events, some hundred rows.
export const workLimits: Omit<WorkLimits, 'onDamage'> = {
  maxDeltas: 64,
  maxMinutes: 500,
  maxEvents: 20_000,
  staleAfterMs: 60_000,
}

/** A workspace with this many deltas is folded before they get old, since every read adds them up. */
const manyDeltas = 16
// These deltas are rows of a few numbers, and a transaction adds several of them.
const manyScopeDeltas = 500
const workspacesAtOnce = 10_000
const workRoundMs = 1_000
/** The same time as for other work, so that neither keeps the other from catching up. */
const repeatRoundMs = workRoundMs

export function openFolding(options: FoldingOptions): Folding {
  const { db, onError, foldAfterMs = 10_000, pauseMs = 1_000 } = options
  const limits: WorkLimits = { ...workLimits, onDamage: options.onDamage }
  const stopping = new AbortController()
  const { signal } = stopping
  const postponed = makeBackoff(backoffOfWorkspaces)
  const postponedScopes = makeBackoff(backoffOfWorkspaces)
  let after = nilUuid
  let afterScopes = nilUuid
  const running = run()

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let isMore = false
      try {
        const folded = (await foldRound()) + (await foldScopesRound())
        isMore = (await workRound()) || folded > 0
        options.onRound()
      } catch (error) {
        onError(error)
      }
      // At least a short pause: a workspace that has just been folded has no new deltas yet.
      await pause(isMore ? pauseMs / 10 : pauseMs, signal)
    }
  }

  const isDue = ({ age_ms, deltas }: WaitingWorkspace, manyDeltas: number): boolean =>
    age_ms >= foldAfterMs || deltas >= manyDeltas

  /** Returns how many deltas were folded. */
  async function foldRound(): Promise<number> {
    const page = await db.rows<WaitingWorkspace>('rollups/list-waiting', [after, workspacesAtOnce])
    // If the page is full, the next round reads the workspaces after it, and the round after the last page starts again.
    after = page.length < workspacesAtOnce ? nilUuid : (page.at(-1)?.workspace_id ?? nilUuid)
    const oldestFirst = page.filter(({ alive }) => alive).sort((a, b) => b.age_ms - a.age_ms)
    options.onWaiting({
      deltas: oldestFirst.reduce((sum, { deltas }) => sum + deltas, 0),
      lagMs: Math.max(0, oldestFirst[0]?.age_ms ?? 0),
    })
    const due = oldestFirst.filter(
      (one) => isDue(one, manyDeltas) && !postponed.isWaiting(one.workspace_id, performance.now()),
    )
    const fold = async (workspaceIds: readonly string[]): Promise<FoldedPart> => {
      const folded = await foldDeltas(db, workspaceIds, limits)
      options.onFolded(folded)
      return folded
    }
    return await foldWaiting({ fold, manyDeltas, repeatMs: repeatRoundMs, postponed, signal, onError }, due)
  }

  /** The same for the counts of instrumentation scopes. */
  async function foldScopesRound(): Promise<number> {
    const page = await db.rows<WaitingWorkspace>('rollups/list-waiting-scopes', [afterScopes, workspacesAtOnce])
    afterScopes = page.length < workspacesAtOnce ? nilUuid : (page.at(-1)?.workspace_id ?? nilUuid)
    const due = page.filter(
      (one) =>
        one.alive && isDue(one, manyScopeDeltas) && !postponedScopes.isWaiting(one.workspace_id, performance.now()),
    )
    const fold = async (workspaceIds: readonly string[]): Promise<FoldedPart> => ({
      deltas: await foldScopes(db, workspaceIds),
      more: new Set(),
    })
    const round = { fold, manyDeltas: manyScopeDeltas, repeatMs: 0, postponed: postponedScopes, signal, onError }
    return await foldWaiting(round, due)
  }

  /** A second of work, shared by the workspaces that have work due. Returns true if something was done, so that more may be due. */
  async function workRound(): Promise<boolean> {
    const due = await db.rows<{ workspace_id: string }>('rollups/list-due-work', [0])
    const untilMs = performance.now() + workRoundMs
    let isMore = false
    for (const { workspace_id } of due) {
      if (signal.aborted || performance.now() > untilMs) break
      if (postponed.isWaiting(workspace_id, performance.now())) continue
      isMore = (await workOn(workspace_id, performance.now() + workRoundMs / due.length)) || isMore
    }
    return isMore
  }

  async function workOn(workspaceId: string, untilMs: number): Promise<boolean> {
    let isMore = false
    try {
      do {
        const done = await doWork(db, workspaceId, limits)
        options.onDone(done)
        postponed.succeed(workspaceId)
        if (done.result === 'held' || done.result === 'none') return isMore
        isMore = true
      } while (!signal.aborted && performance.now() < untilMs)
    } catch (error) {
      if (isClash(error)) return isMore
      postponed.fail(workspaceId, performance.now())
      onError(error)
    }
    return isMore
  }

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
