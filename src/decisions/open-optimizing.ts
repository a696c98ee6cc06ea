// The optimization loop: woken by what is committed and by a slow tick, one workspace after the other, for a share of the
// time. Any number of processes may run it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../store/database.ts'
import { judgeDecisions, type OptimizeDeps, optimizeWorkspace, type Turn } from './optimize-workspace.ts'
import { makeSchedule } from './optimizing-schedule.ts'
import { makePace } from './pace.ts'

export type OptimizingOptions = OptimizeDeps & {
  /** Time between two looks at a workspace where nothing does. */
  readonly tickMs: number
  /** Through which the loop writes for the workspace. */
  readonly dbFor: (workspaceId: string) => Database
  /** False for the workspaces that another process looks after now. */
  readonly isOurs: (workspaceId: string) => boolean
  /** Of the time, at most so much is worked. */
  readonly share: number
  /** Told after every turn: how it ended, and how long it took with its rests. */
  readonly onTurn: (turn: Turn, durationMs: number) => void
  readonly onLoopError: (error: unknown) => void
}

export type Optimizing = {
  /** Events of the workspace were stored. Cheap: for every commit. */
  wake(workspaceId: string): void
  /** Stored calls contradict these decisions: they are measured within a second or two, before the next look. */
  hurry(workspaceId: string, decisionIds: readonly string[]): void
  /** How long the workspace that waits for longest has been due. */
  lagMs(): number
  /** Ends after the step in hand. */
  stop(): Promise<void>
}

const maxPauseMs = 250
const tickPageSize = 1_000
/** Least time between two measurements of contradicted decisions of a workspace. */
const hurryEveryMs = 1_000
const maxContradicted = 100
const failedTickMs = 5_000
/** Calls that contradict a decision were stored. */
type Contradiction = {
  readonly sinceMs: number
  /** They were stored by transactions before this one; null: the next measurement tells. */
  readonly beforeXid: bigint | null
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** Starts with a tick, so that what a stop interrupted goes on. */
export function openOptimizing(options: OptimizingOptions): Optimizing {
  const { db, lookEveryMs, tickMs, isOurs, nowMs } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const schedule = makeSchedule(lookEveryMs)
  const hurried = makeSchedule(Math.min(hurryEveryMs, lookEveryMs))
  const contradicted = new Map<string, Map<string, Contradiction>>()
  const pace = makePace(options.share, signal)
  // Of its own: a contradicted rule serves what may be wrong, and does not wait until a long look and its rests are over.
  const hurriedPace = makePace(options.share, signal)
  const pauseMs = Math.min(maxPauseMs, lookEveryMs / 4)
  let after = nobody
  const running = Promise.all([run(), runHurried()])

  async function run(): Promise<void> {
    let tickAtMs = nowMs()
    while (!signal.aborted) {
      if (nowMs() >= tickAtMs) tickAtMs = nowMs() + ((await tick()) ? tickMs : failedTickMs)
      const workspaceId = schedule.take(nowMs())
      if (workspaceId === null) await pause()
      else await look(workspaceId)
    }
  }

  async function runHurried(): Promise<void> {
    while (!signal.aborted) {
      const workspaceId = hurried.take(nowMs())
      if (workspaceId === null) await pause()
      else await lookAtContradicted(workspaceId)
    }
  }

  async function pause(): Promise<void> {
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }

  /** Everyone who may have something to do is due. False where it failed. */
  async function tick(): Promise<boolean> {
    try {
      // Where not all find a place, the others have the next tick.
      while (!signal.aborted && !schedule.isFull()) {
        const page = await db.rows<{ id: string }>('decisions/list-workspaces', [after, tickPageSize])
        for (const { id } of page) if (isOurs(id)) schedule.wake(id, nowMs())
        after = page.length < tickPageSize ? nobody : (page.at(-1)?.id ?? nobody)
        if (after === nobody) break
      }
      return true
    } catch (error) {
      options.onLoopError(error)
      return false
    }
  }

  async function look(workspaceId: string): Promise<void> {
    // It was ours when it was woken.
    if (!isOurs(workspaceId)) return
    const startedMs = nowMs()
    const deps = { ...options, db: options.dbFor(workspaceId) }
    const turn = await optimizeWorkspace(deps, { pace, signal }, workspaceId).catch((error: unknown): Turn => {
      options.onError(error, 'propose', workspaceId)
      return 'failed'
    })
    const endedMs = nowMs()
    options.onTurn(turn, endedMs - startedMs)
    if (turn === 'failed') schedule.postpone(workspaceId, endedMs)
    else schedule.succeed(workspaceId)
    if (turn === 'more') schedule.putBack(workspaceId, endedMs)
  }

  /**
   * One that fails is told of, and has its turn with the next look, which is due anyway. A measurement reads nothing that was stored beside
   * a transaction that is still under way: it is repeated until it has read the calls for which it was made, or the next look is due.
   */
  async function lookAtContradicted(workspaceId: string): Promise<void> {
    const decisions = contradicted.get(workspaceId) ?? new Map<string, Contradiction>()
    contradicted.delete(workspaceId)
    if (!isOurs(workspaceId)) return
    const deps = { ...options, db: options.dbFor(workspaceId) }
    await judgeDecisions(deps, hurriedPace, workspaceId, decisions.keys(), (decisionId, { readXid, begunXid }) => {
      const { sinceMs, ...known } = decisions.get(decisionId) ?? { sinceMs: nowMs(), beforeXid: null }
      const beforeXid = known.beforeXid ?? begunXid
      if (readXid < beforeXid && nowMs() - sinceMs <= lookEveryMs)
        awaitMeasurement(workspaceId, [decisionId], { sinceMs, beforeXid })
    })
  }

  /** Where more of it was stored meanwhile, that is what is waited for. */
  function awaitMeasurement(workspaceId: string, decisionIds: readonly string[], contradiction: Contradiction): void {
    if (hurried.isFull()) return
    hurried.wake(workspaceId, nowMs())
    const waiting = contradicted.get(workspaceId) ?? new Map<string, Contradiction>()
    for (const id of decisionIds) {
      const isKnown = waiting.has(id)
      if (isKnown ? contradiction.beforeXid === null : waiting.size < maxContradicted) waiting.set(id, contradiction)
    }
    contradicted.set(workspaceId, waiting)
  }

  return {
    hurry(workspaceId, decisionIds) {
      if (isOurs(workspaceId)) awaitMeasurement(workspaceId, decisionIds, { sinceMs: nowMs(), beforeXid: null })
    },
    wake(workspaceId) {
      if (isOurs(workspaceId)) schedule.wake(workspaceId, nowMs())
    },
    lagMs: () => schedule.lagMs(nowMs()),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
