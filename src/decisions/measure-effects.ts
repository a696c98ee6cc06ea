// Floor 3. What a rule changes beside the match rate: money, time and quality, each with its sign.
import type { Runner } from '../store/database.ts'
import { msDecimals, roundTo, shareDecimals, usdDecimals } from './gate/round.ts'
import { type Caching, estimateCacheLoss, measureCacheLoss } from './measure-caching.ts'
import type { MeasuredPhase } from './trials/phase.ts'

export type Effects = {
  /** Per served call; negative saves. Null where neither a tool's costs nor what caching does is known. */
  readonly costDeltaUsd: number | null
  /** Per served call; negative is faster. Null where no real execution tells how long it took. */
  readonly latencyDeltaMs: number | null
  /** Negative is worse. Null where either side has under five scored traces. */
  readonly qualityDelta: number | null
  /** Calls a month that the rule, being active, was asked for; null where none was. */
  readonly matchedMonthly: number | null
}

type Executions = { calls: number; mean_cost_usd: number | null; median_ms: number | null }
type Served = { matched_calls: number; first_us: number | null; last_us: number | null; median_ms: number | null }
type Quality = { is_served: boolean; traces: number; quality: number }

/** What fetching a stored result takes where none was ever served. */
const assumedFetchMs = 25
const minScoredTraces = 5

// The newest are what the rule goes on with, and enough of them.
const maxExecutions = 20_000
const maxSampled = 1_000

const dayUs = 86_400_000_000
const monthUs = 30 * dayUs

/**
 * Measured over one run of a decision, from its shadow on: `run` is that stretch. Executions that the rule matches stand for what
 * it saves. Four statements, the newest calls alone.
 */
export async function measureEffects(
  db: Pick<Runner, 'rows' | 'row'>,
  decisionId: string,
  run: MeasuredPhase,
  isActive: boolean,
): Promise<Effects> {
  const { workspaceId, type, toolName, inputHash, agentId } = run.subject
  const scope = [toolName, type === 'reuse_identity' ? inputHash : null, agentId]
  const stretch = [run.beganUs, run.endedUs]
  const executions = await db.row<Executions>('decisions/measure-executions', [
    workspaceId,
    ...scope,
    ...stretch,
    maxExecutions,
  ])
  const own = [workspaceId, decisionId]
  const served = await db.row<Served>('decisions/measure-served', [...own, ...stretch, maxExecutions])
  const sampled = [...own, ...scope, ...stretch, maxSampled]
  const quality = await db.rows<Quality>('decisions/measure-quality', sampled)
  const caching = await db.rows<Caching>('decisions/measure-caching', sampled)

  const cacheLossUsd = isActive
    ? measureCacheLoss(caching)
    : type === 'suppress_dead'
      ? estimateCacheLoss(caching)
      : null
  return {
    costDeltaUsd: deltaUsd(executions?.mean_cost_usd ?? null, cacheLossUsd, run.config.holdout_rate),
    latencyDeltaMs: deltaMs(executions?.median_ms ?? null, served?.median_ms ?? null),
    qualityDelta: deltaQuality(quality),
    matchedMonthly: monthly(served),
  }
}

/** A served call saves what the tool costs, loses what the cache had, and bears its share of the calls that are held out. */
function deltaUsd(toolUsd: number | null, cacheLossUsd: number | null, holdoutRate: number): number | null {
  if (toolUsd === null && cacheLossUsd === null) return null
  const saved = (toolUsd ?? 0) * (1 - holdoutRate)
  return roundTo((cacheLossUsd ?? 0) - saved, usdDecimals)
}

const deltaMs = (realMs: number | null, servedMs: number | null): number | null =>
  realMs === null ? null : roundTo((servedMs ?? assumedFetchMs) - realMs, msDecimals)

function deltaQuality(sides: readonly Quality[]): number | null {
  const [served, real] = [sides.find((side) => side.is_served), sides.find((side) => !side.is_served)]
  if (served === undefined || real === undefined) return null
  if (Math.min(served.traces, real.traces) < minScoredTraces) return null
  return roundTo(served.quality - real.quality, shareDecimals)
}

function monthly(served: Served | null): number | null {
  if (served === null || served.first_us === null || served.last_us === null) return null
  return extrapolate(served.matched_calls, served.last_us - served.first_us)
}

/** Calls a month, by as many in a stretch of time; one shorter than a day counts as a day, since a burst is no month. */
export const extrapolate = (calls: number, stretchUs: number): number => (calls * monthUs) / Math.max(dayUs, stretchUs)
