// Measures the effects of a rule apart from its match rate: cost, latency and quality, each with its sign.
import { describeSpan, type ObservationPeriod, type Observed, perMonth } from '../pricing/monthly.ts'
import type { Runner } from '../store/database.ts'
import { assumedFetchMs } from './config.ts'
import { msDecimals, roundTo, shareDecimals, usdDecimals } from './gate/round.ts'
import { type Caching, estimateCacheLoss, measureCacheLoss, proveCacheLoss } from './measure-caching.ts'
import type { MeasuredRun } from './trials/phase.ts'

export type Effects = {
  /** Per served call; negative if the rule saves money. Null if neither the cost of the tool nor the effect on caching is known. */
  readonly costDeltaUsd: number | null
  /** A lower bound of it: the prompt caching that the rule loses counts as far as it is proven. */
  readonly leastCostDeltaUsd: number | null
  /** Per served call; negative if the rule saves time. Null if no real execution has a known duration. */
  readonly latencyDeltaMs: number | null
  /**
   * Numbers of served and real calls that the two medians of `latencyDeltaMs` rest on. In shadow, served calls of other rules stand in for
   * those of this one; an active rule is judged by its own calls alone.
   */
  readonly servedCalls: number
  readonly realCalls: number
  /** Negative if the quality drops. Null if either side has fewer than five scored traces. */
  readonly qualityDelta: number | null
  /** From the first to the last call that the active rule was asked for. Null if there was none. */
  readonly observed: Observed | null
  /** Served calls per month. Null if `observed` spans less than 24 hours. */
  readonly servedMonthly: number | null
}

type Executions = { timed_calls: number; mean_cost_usd: number | null; median_ms: number | null }
type Served = {
  own_served_calls: number
  timed_calls: number
  first_us: number | null
  last_us: number | null
  median_ms: number | null
}
type Quality = { is_served: boolean; traces: number; quality: number }

const minScoredTraces = 5

// Only the newest calls are read: they are enough, and the rule continues from them.
const maxExecutions = 20_000
const maxSampled = 1_000
const lookBackUs = 7 * 86_400_000_000

/**
 * Measures the effects over `run`, one run of a decision from the start of its shadow. Executions that the rule matches stand in for what
 * it saves; for an active rule only up to the last call that it covered, since a newer version of the tool may have very many later ones.
 * `wrongShare`: share of the served calls whose result was wrong, by the watch. Four statements, which read only the newest calls. A rule
 * that has covered none reads the executions of other versions as well.
 */
export async function measureEffects(
  db: Pick<Runner, 'rows' | 'row'>,
  decisionId: string,
  run: MeasuredRun,
  isActive: boolean,
  wrongShare: number,
): Promise<Effects> {
  const { workspaceId, type, toolName, toolVersion, inputHash, agentId } = run.subject
  const scope = [toolName, toolVersion, agentId, type === 'reuse_identity' ? inputHash : null]
  const own = [workspaceId, decisionId]
  const served = await db.row<Served>('decisions/measure-served', [...own, run.beganUs, run.endedUs, maxExecutions])
  const lastUs = isActive ? (served?.last_us ?? null) : null
  const endUs = lastUs === null ? run.endedUs : lastUs + 1
  // A rule may be proven by executions from before it was proposed.
  const executions = await db.row<Executions>('decisions/measure-executions', [
    workspaceId,
    ...scope,
    run.beganUs - lookBackUs,
    endUs,
    maxExecutions,
  ])
  const sampled = [...own, ...scope, run.beganUs, endUs, maxSampled]
  const quality = await db.rows<Quality>('decisions/measure-quality', sampled)
  const caching = await db.rows<Caching>('decisions/measure-caching', sampled)

  const cacheLossUsd = isActive
    ? measureCacheLoss(caching)
    : type === 'suppress_dead'
      ? estimateCacheLoss(caching)
      : null
  const toolUsd = executions?.mean_cost_usd ?? null
  const observed = spanOf(served)
  return {
    costDeltaUsd: deltaUsd(toolUsd, cacheLossUsd, wrongShare),
    leastCostDeltaUsd: deltaUsd(toolUsd, isActive ? proveCacheLoss(caching) : cacheLossUsd, wrongShare),
    latencyDeltaMs: deltaMs(executions?.median_ms ?? null, served?.median_ms ?? null),
    servedCalls: Math.min(
      served?.timed_calls ?? 0,
      isActive ? (served?.own_served_calls ?? 0) : Number.POSITIVE_INFINITY,
    ),
    realCalls: executions?.timed_calls ?? 0,
    qualityDelta: deltaQuality(quality),
    observed: observed === null ? null : describeSpan(observed),
    servedMonthly: observed === null ? null : perMonth(served?.own_served_calls ?? 0, observed),
  }
}

/**
 * A served call saves the cost of the tool and loses what the cache would have saved. A wrong one saves nothing: the call has to be
 * repeated.
 */
function deltaUsd(toolUsd: number | null, cacheLossUsd: number | null, wrongShare: number): number | null {
  if (toolUsd === null && cacheLossUsd === null) return null
  return roundTo((cacheLossUsd ?? 0) - (1 - wrongShare) * (toolUsd ?? 0), usdDecimals)
}

const deltaMs = (realMs: number | null, servedMs: number | null): number | null =>
  realMs === null ? null : roundTo((servedMs ?? assumedFetchMs) - realMs, msDecimals)

function deltaQuality(sides: readonly Quality[]): number | null {
  const [served, real] = [sides.find((side) => side.is_served), sides.find((side) => !side.is_served)]
  if (served === undefined || real === undefined) return null
  if (Math.min(served.traces, real.traces) < minScoredTraces) return null
  return roundTo(served.quality - real.quality, shareDecimals)
}

const spanOf = (served: Served | null): ObservationPeriod | null =>
  served === null || served.first_us === null || served.last_us === null
    ? null
    : { fromMs: served.first_us / 1_000, toMs: served.last_us / 1_000 }
