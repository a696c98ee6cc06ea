// The optimization loop. Commits and a slow tick wake it. It handles one workspace after the other, for a share of the time. Any number of
// processes may run it.

import { makeDutyCycle } from '../base/duty-cycle.ts'
import { nilUuid } from '../base/ids.ts'
import { pause } from '../base/pause.ts'
import type { Database } from '../store/database.ts'
import { judgeDecisions, type OptimizeDeps, optimizeWorkspace, type Turn } from './optimize-workspace.ts'
import { makeSchedule } from './optimizing-schedule.ts'

export type OptimizingOptions = OptimizeDeps & {
  /** Time between two ticks: a workspace where nothing happens is handled this often. */
  readonly tickMs: number
  /** Returns the database through which the loop writes for the workspace. */
  readonly dbFor: (workspaceId: string) => Database
  /** Returns false for a workspace that another process is responsible for at present. */
  readonly isOurs: (workspaceId: string) => boolean
  /** Maximum share of the time that is spent working. */
  readonly share: number
  /** Called after every turn with its result and its duration, rests included. */
  readonly onTurn: (turn: Turn, durationMs: number) => void
  readonly onLoopError: (error: unknown) => void
}

export type Optimizing = {
  /** Reports that events of the workspace were stored. Cheap enough to call at every commit. */
  wake(workspaceId: string): void
  /** Reports that stored calls contradict these decisions. They are measured within a second or two, before the next pass. */
  measureSoon(workspaceId: string, decisionIds: readonly string[]): void
  /** Returns for how long the workspace that has waited longest has been due. */
  lagMs(): number
  /** Resolves after the current step has ended. */
  stop(): Promise<void>
}

const maxPauseMs = 250
const tickPageSize = 1_000
/** Minimum time between two measurements of contradicted decisions of a workspace. */
const hurryEveryMs = 1_000
const maxContradicted = 100
const failedTickMs = 5_000
/** Stored calls contradict a decision. */
type Contradiction = {
  readonly sinceMs: number
  /** The calls were stored by transactions before this one. Null: the next measurement sets it. */
  readonly beforeXid: bigint | null
}

/** Starts with a tick, so that work that a stop interrupted continues. */
export function openOptimizing(options: OptimizingOptions): Optimizing {
  const { db, passEveryMs, tickMs, isOurs, nowMs } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const schedule = makeSchedule(passEveryMs)
  const hurried = makeSchedule(Math.min(hurryEveryMs, passEveryMs))
  const contradicted = new Map<string, Map<string, Contradiction>>()
  const dutyCycle = makeDutyCycle(options.share, signal)
  // Separate: a contradicted rule may serve wrong results, so its measurement must not wait for a long pass and its rests.
  const hurriedPace = makeDutyCycle(options.share, signal)
  const pauseMs = Math.min(maxPauseMs, passEveryMs / 4)
  let after = nilUuid
  const running = Promise.all([run(), runHurried()])

  async function run(): Promise<void> {
    let tickAtMs = nowMs()
    while (!signal.aborted) {
      if (nowMs() >= tickAtMs) tickAtMs = nowMs() + ((await tick()) ? tickMs : failedTickMs)
      const workspaceId = schedule.take(nowMs())
      if (workspaceId === null) await pause(pauseMs, signal)
      else await passOver(workspaceId)
    }
  }

  async function runHurried(): Promise<void> {
    while (!signal.aborted) {
      const workspaceId = hurried.take(nowMs())
      if (workspaceId === null) await pause(pauseMs, signal)
      else await measureContradicted(workspaceId)
    }
  }

  /** Marks every workspace that may have work as due. Returns false if the tick failed. */
  async function tick(): Promise<boolean> {
    try {
      // Workspaces that do not fit into the schedule follow at the next tick.
      while (!signal.aborted && !schedule.isFull()) {
        const page = await db.rows<{ id: string }>('decisions/list-workspaces', [after, tickPageSize])
        for (const { id } of page) if (isOurs(id)) schedule.wake(id, nowMs())
        after = page.length < tickPageSize ? nilUuid : (page.at(-1)?.id ?? nilUuid)
        if (after === nilUuid) break
      }
      return true
    } catch (error) {
      options.onLoopError(error)
      return false
    }
  }

  async function passOver(workspaceId: string): Promise<void> {
    // Another process may have become responsible since the workspace was woken.
    if (!isOurs(workspaceId)) return
    const startedMs = nowMs()
    const deps = { ...options, db: options.dbFor(workspaceId) }
    const turn = await optimizeWorkspace(deps, { pace: dutyCycle, signal }, workspaceId).catch(
      (error: unknown): Turn => {
        options.onError(error, 'propose', workspaceId)
        return 'failed'
      },
    )
    const endedMs = nowMs()
    options.onTurn(turn, endedMs - startedMs)
    if (turn === 'failed') schedule.postpone(workspaceId, endedMs)
    else schedule.succeed(workspaceId)
    if (turn === 'more') schedule.putBack(workspaceId, endedMs)
  }

  /**
   * Measures the contradicted decisions. A measurement reads nothing that was stored next to a transaction that is still in progress, so it
   * is repeated until it has read the calls that caused it, or until the next pass is due. So is one that failed.
   */
  async function measureContradicted(workspaceId: string): Promise<void> {
    const decisions = contradicted.get(workspaceId) ?? new Map<string, Contradiction>()
    contradicted.delete(workspaceId)
    if (!isOurs(workspaceId)) return
    const deps = { ...options, db: options.dbFor(workspaceId) }
    await judgeDecisions(deps, hurriedPace, workspaceId, decisions.keys(), (decisionId, outcome) => {
      const { sinceMs, ...known } = decisions.get(decisionId) ?? { sinceMs: nowMs(), beforeXid: null }
      const beforeXid = outcome === 'failed' ? known.beforeXid : (known.beforeXid ?? outcome.begunXid)
      const hasRead = outcome !== 'failed' && beforeXid !== null && outcome.readXid >= beforeXid
      if (!hasRead && nowMs() - sinceMs <= passEveryMs)
        awaitMeasurement(workspaceId, [decisionId], { sinceMs, beforeXid })
    })
  }

  /** If more contradicting calls were stored meanwhile, the measurement waits for those instead. */
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
    measureSoon(workspaceId, decisionIds) {
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
