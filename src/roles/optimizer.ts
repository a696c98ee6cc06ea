// Wires the optimization loop of a process: its work for a workspace, what wakes it, its metrics and its log.
import { Fenced } from '../actors/owner/fenced.ts'
import { gateDecision } from '../decisions/gate-decision.ts'
import { type Optimizing, openOptimizing } from '../decisions/open-optimizing.ts'
import { detectFindings } from '../findings/detect-findings.ts'
import type { Database } from '../store/database.ts'
import type { Owning } from './actor-host.ts'
import type { AppContext } from './app-context.ts'
import { fenceDatabase } from './fenced-database.ts'

/** How long the loop works on one workspace before the next one has its turn. */
const turnMs = 2_000

const doing = {
  propose: 'proposing rules',
  advance: 'moving a proposed rule to shadow',
  judge: 'measuring a rule',
  find: 'detecting findings',
} as const

const words = {
  shadow: 'a rule moved to shadow',
  active: 'a rule was proven in shadow and is now active',
  disabled: 'the gate disabled a rule',
  proposed: 'a rule moved to proposed',
} as const

/** Starts the loop for the workspaces of the partitions that this process owns. */
export function openOptimizer(
  app: AppContext,
  owning: Pick<Owning, 'isOwned' | 'fenceOf' | 'reportFenced'>,
): Optimizing {
  const { config, log, metrics, clock } = app
  const { notices } = app.bus
  const db = app.databases.optimizer
  const dbFor = (workspaceId: string): Database => fenceDatabase(db, owning.fenceOf, workspaceId)
  const optimizing = openOptimizing({
    db,
    dbFor,
    nowMs: () => performance.now(),
    isOurs: owning.isOwned,
    judge: async (workspaceId, decisionId) => {
      const gate = { db: dbFor(workspaceId), nowMs: clock.nowMs, maxAgeMs: config.INGEST_MAX_AGE_S * 1_000 }
      const gated = await gateDecision(gate, workspaceId, decisionId)
      if (gated.damage !== null)
        log.warn(
          { workspaceId, decisionId, error: gated.damage },
          'the stored evidence of a rule is damaged; collecting it again from the stored executions',
        )
      if (!gated.complete) {
        metrics.measurementsCut.inc()
        log.info(
          { workspaceId, decisionId, trials: gated.trials },
          'a rule has more executions than one measurement can read',
        )
      }
      return gated
    },
    detectFindings: async (workspaceId, signal) => {
      const onFailure = (type: string, error: unknown): void =>
        log.warn({ error, workspaceId, type }, 'could not detect findings of one type')
      return await detectFindings({ db: dbFor(workspaceId), nowMs: clock.nowMs, onFailure }, workspaceId, signal)
    },
    publishRules: (workspaceId) => notices.publishChange(workspaceId, 'rules'),
    onProposed: (workspaceId, { id: decisionId, type }) => {
      metrics.decisionsProposed.inc({ type })
      log.info({ workspaceId, decisionId, type }, 'proposed a rule')
    },
    onMoved: (workspaceId, decisionId, to, why) => {
      metrics.decisionsMoved.inc({ to, why })
      log.info({ workspaceId, decisionId, why }, words[to])
    },
    onFound: (workspaceId, { opened, updated, resolved }) => {
      for (const [change, count] of Object.entries({ opened, updated, resolved }))
        metrics.findings.inc({ change }, count)
      if (opened + resolved > 0) log.info({ workspaceId, opened, resolved }, 'opened or resolved findings')
    },
    onStep: (step, durationMs) => metrics.optimizerStepSeconds.observe({ step }, durationMs / 1_000),
    onTurn: (result, durationMs) => {
      metrics.optimizerTurns.inc({ result })
      metrics.optimizerTurnSeconds.observe(durationMs / 1_000)
    },
    onError(error, step, workspaceId) {
      if (error instanceof Fenced) {
        // The present owner processes the workspace. If ownership is only uncertain, this process resumes once it receives its own
        // heartbeats again.
        if (error.fence !== null) owning.reportFenced(error.fence)
        return
      }
      log.warn({ error, workspaceId, doing: doing[step] }, 'a step of the optimization loop failed; will retry')
    },
    onLoopError: (error) => log.warn({ error }, 'the optimization loop could not list workspaces; will retry'),
    passEveryMs: config.OPTIMIZER_INTERVAL_S * 1_000,
    tickMs: config.OPTIMIZER_TICK_S * 1_000,
    findEveryMs: config.OPTIMIZER_FINDINGS_S * 1_000,
    judgeEveryMs: config.OPTIMIZER_TICK_S * 1_000,
    share: config.OPTIMIZER_SHARE_PERCENT / 100,
    turnMs,
  })
  metrics.watch(
    'tracewright_optimizer_lag_seconds',
    'Time for which the longest-waiting workspace has been due for a pass of the optimization loop',
    () => optimizing.lagMs() / 1_000,
  )
  const forget = notices.subscribeCommits((workspaceId, _inserted, { contradicted }) => {
    optimizing.wake(workspaceId)
    if (contradicted.length > 0) optimizing.measureSoon(workspaceId, contradicted)
  })
  return {
    ...optimizing,
    async stop() {
      forget()
      await optimizing.stop()
    },
  }
}
