// One pass over a workspace: propose decisions, start the measurement of proposed ones, judge measured ones, detect findings.
import type { DutyCycle } from '../base/duty-cycle.ts'
import type { Database } from '../store/database.ts'
import { maxLivingDecisions } from './config.ts'
import type { DecisionRow } from './decision-shape.ts'
import type { Horizon } from './ladder/advance-ladder.ts'
import type { State } from './lifecycle.ts'
import { moveDecision, moveInTx, touchesRules } from './move.ts'
import { type Eviction, proposeFor } from './propose/propose-for.ts'

export type Judged = {
  readonly moved: State | null
  readonly verdict: string
  /** False if there is more to replay. */
  readonly complete: boolean
  /** The rules that SDKs hold have changed. */
  readonly touchesRules: boolean
  readonly horizon: Horizon | null
}
export type FindingCounts = { readonly opened: number; readonly updated: number; readonly resolved: number }
export type LoopStep = 'propose' | 'advance' | 'judge' | 'find'

export type OptimizeDeps = {
  readonly db: Database
  /** Measures a decision and moves it if the measurement calls for it. */
  readonly judge: (workspaceId: string, decisionId: string) => Promise<Judged>
  /** Ends early if the signal is aborted. */
  readonly detectFindings: (workspaceId: string, signal: AbortSignal) => Promise<FindingCounts>
  /** Called after the commit of a move that may have changed the rules of SDKs. */
  readonly publishRules: (workspaceId: string) => void
  readonly onProposed: (workspaceId: string, decision: DecisionRow) => void
  readonly onMoved: (workspaceId: string, decisionId: string, to: State, why: string) => void
  readonly onFound: (workspaceId: string, found: FindingCounts) => void
  /** Called after every step with its duration in ms. */
  readonly onStep: (step: LoopStep, durationMs: number) => void
  /** Called with the error of one decision or of the detection. The other steps still run. */
  readonly onError: (error: unknown, step: LoopStep, workspaceId: string) => void
  readonly findEveryMs: number
  /** Minimum time between two passes over a workspace. The decisions of one pass are not judged again in the next turn. */
  readonly passEveryMs: number
  /** Interval at which a decision without new calls is judged: late spans and the results of settling may matter. */
  readonly judgeEveryMs: number
  /** Maximum time spent on one workspace before others have their turn. */
  readonly turnMs: number
  /** Monotonic clock by which passes and turns are timed. */
  readonly nowMs: () => number
}

export type Turn = 'done' | 'more' | 'held' | 'gone' | 'stopped' | 'failed'

type Duties = { readonly now: Date; readonly approves_decisions: boolean; readonly is_finding_due: boolean }
type Due = { readonly id: string; readonly state: State }

/**
 * Runs one pass. `more`: the time was up first. `failed`: a step failed and was reported; the other steps still ran. Throws Outage.
 */
export async function optimizeWorkspace(
  deps: OptimizeDeps,
  { pace: dutyCycle, signal }: { readonly pace: DutyCycle; readonly signal: AbortSignal },
  workspaceId: string,
): Promise<Turn> {
  const { db } = deps
  const work = openWork(deps, dutyCycle, workspaceId)

  const proposed = await work.take(
    'propose',
    async () => await proposeFor({ db }, workspaceId, { budgetMs: deps.turnMs / 2 }),
  )
  if (proposed === null) return 'stopped'
  if (proposed.result === 'held') return 'held'
  for (const decision of proposed.proposed) deps.onProposed(workspaceId, decision)
  for (const eviction of proposed.evictions)
    await work.tryTake('propose', async () => await evict(deps, workspaceId, eviction))

  const plan = await work.take('advance', async () => await readPlan(deps, workspaceId))
  if (plan === null) return 'stopped'
  if (plan === 'gone') return 'gone'
  let isMore = false
  for (const { id, state } of plan.due) {
    isMore ||= work.isTimeUp()
    if (isMore) break
    if (state === 'proposed') await work.tryTake('advance', async () => await advance(deps, workspaceId, id))
    // A decision that has just entered shadow is measured in the next pass.
    else isMore = !(await work.judgeWhole(id)).isWhole
  }
  // Runs even if the time is up: otherwise a workspace that always has more to judge would never get findings.
  if (plan.duties.is_finding_due)
    await work.tryTake('find', async () => await find(deps, workspaceId, plan.duties.now, signal))
  if (work.hasFailed()) return 'failed'
  return isMore ? 'more' : 'done'
}

/**
 * Measures these decisions and does nothing else. `onMeasured` receives the horizon of each measurement, and `failed` for one that failed
 * and was reported. Decisions for which the time does not suffice wait for the next pass.
 */
export async function judgeDecisions(
  deps: OptimizeDeps,
  dutyCycle: DutyCycle,
  workspaceId: string,
  decisionIds: Iterable<string>,
  onMeasured: (decisionId: string, outcome: Horizon | 'failed') => void,
): Promise<void> {
  const work = openWork(deps, dutyCycle, workspaceId)
  for (const id of decisionIds) {
    if (work.isTimeUp()) return
    const { isWhole, outcome } = await work.judgeWhole(id)
    if (!isWhole) return
    if (outcome !== null) onMeasured(id, outcome)
  }
}

/** Runs steps at the pace of the loop, and records the time that they took and whether one failed. */
function openWork(deps: OptimizeDeps, dutyCycle: DutyCycle, workspaceId: string) {
  let workedMs = 0
  let failed = false

  /** Returns null if the loop is stopping. */
  async function take<T>(step: LoopStep, work: () => Promise<T>): Promise<T | null> {
    return await dutyCycle.run(async () => {
      const startedMs = deps.nowMs()
      try {
        return await work()
      } finally {
        const durationMs = deps.nowMs() - startedMs
        workedMs += durationMs
        deps.onStep(step, durationMs)
      }
    })
  }
  /** Returns false if the step failed. */
  async function tryTake(step: LoopStep, work: () => Promise<void>): Promise<boolean> {
    try {
      await take(step, work)
      return true
    } catch (error) {
      failed = true
      deps.onError(error, step, workspaceId)
      return false
    }
  }

  /** Judges a decision until all is replayed. `isWhole` is false if the turn ended first: a long history continues in the next turn. */
  async function judgeWhole(
    decisionId: string,
  ): Promise<{ readonly isWhole: boolean; readonly outcome: Horizon | 'failed' | null }> {
    for (;;) {
      const seen = { isWhole: true, outcome: null as Horizon | null }
      const isDone = await tryTake('judge', async () => {
        const { complete, horizon } = await judge(deps, workspaceId, decisionId)
        seen.isWhole = complete
        seen.outcome = horizon
      })
      if (!isDone) return { isWhole: true, outcome: 'failed' }
      if (seen.isWhole || workedMs > deps.turnMs) return seen
    }
  }

  return { take, tryTake, judgeWhole, isTimeUp: () => workedMs > deps.turnMs, hasFailed: () => failed }
}

async function readPlan({ db, passEveryMs, findEveryMs, judgeEveryMs }: OptimizeDeps, workspaceId: string) {
  const duties = await db.row<Duties>('decisions/read-duties', [workspaceId, findEveryMs])
  if (duties === null) return 'gone'
  const states = duties.approves_decisions ? ['shadow', 'active'] : ['proposed', 'shadow', 'active']
  const nowMs = duties.now.getTime()
  const judgedBefore = [new Date(nowMs - passEveryMs / 2), new Date(nowMs - judgeEveryMs)]
  const due = await db.rows<Due>('decisions/list-due', [workspaceId, states, ...judgedBefore, maxLivingDecisions])
  return { duties, due }
}

async function advance(deps: OptimizeDeps, workspaceId: string, decisionId: string): Promise<void> {
  const reason = 'the workspace does not require approval'
  const isMoved = await deps.db.tx(async (tx) => {
    const held = await tx.row<{ approves: boolean }>('decisions/lock', [workspaceId, decisionId])
    // The setting may have changed since the plan was read.
    if (held?.approves !== false) return false
    const step = { workspaceId, decisionId, to: 'shadow', actor: 'gate', reason } as const
    // Not ok if a user was faster.
    return (await moveInTx(tx, { ...step, expectedState: 'proposed' })).ok
  })
  if (isMoved) deps.onMoved(workspaceId, decisionId, 'shadow', 'proposed')
}

async function evict(deps: OptimizeDeps, workspaceId: string, { decisionId, state, reason }: Eviction): Promise<void> {
  const step = { workspaceId, decisionId, to: 'disabled', actor: 'gate', reason, isEvicted: true } as const
  const moved = await moveDecision(deps, { ...step, expectedState: state })
  // The decision was moved since it was chosen, for example by a user who activated it. The next pass chooses again.
  if (!moved.ok) return
  if (touchesRules(moved.value)) deps.publishRules(workspaceId)
  deps.onMoved(workspaceId, decisionId, 'disabled', 'evicted')
}

async function judge(deps: OptimizeDeps, workspaceId: string, decisionId: string): Promise<Judged> {
  const judged = await deps.judge(workspaceId, decisionId)
  if (judged.touchesRules) deps.publishRules(workspaceId)
  if (judged.moved !== null) deps.onMoved(workspaceId, decisionId, judged.moved, judged.verdict)
  return judged
}

async function find(deps: OptimizeDeps, workspaceId: string, now: Date, signal: AbortSignal): Promise<void> {
  // Recorded before detection starts, so that a failed detection is retried only when the next one is due.
  await deps.db.run('decisions/begin-findings', [workspaceId, now])
  const isOver = AbortSignal.any([signal, AbortSignal.timeout(deps.turnMs)])
  deps.onFound(workspaceId, await deps.detectFindings(workspaceId, isOver))
}
