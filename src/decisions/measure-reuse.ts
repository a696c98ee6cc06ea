// Measures a reuse_identity decision: brings the replay of its subject up to date and derives what the rule serves.
import type { Runner } from '../store/database.ts'
import { roundTo, shareDecimals } from './gate/round.ts'
import type { GateStatus, LadderSettings, RungStatus } from './gate/verdict.ts'
import { type Advanced, advanceLadder, type LadderSubject, type ReplayBounds } from './ladder/advance-ladder.ts'
import { type Effects, measureEffects } from './measure-effects.ts'
import { type Measures, monthlySavingsUsd, shareOf, showEvidence, showShadow } from './measures.ts'
import { maxInputs } from './policy/input-table.ts'
import type { Worth } from './propose/candidate.ts'
import { reweigh } from './propose/reweigh.ts'
import { cameBackUs, configOf, type MeasuredRow, runOf } from './trials/phase.ts'

export type ReuseMeasurement = {
  readonly measures: Measures
  readonly standing: GateStatus
  readonly effects: Effects
  readonly advanced: Advanced
  readonly serves: Serves
}

/** What SDKs and fronts receive about a rule, apart from its subject. */
export type Serves = {
  /** Full input hashes, sorted; at most `maxInputs`. */
  readonly inputs: readonly string[]
  readonly freshnessS: number | null
  readonly proven: boolean
  /** Results of executions that began at or before this time are in doubt and are not served, Unix microseconds. Null: none are. */
  readonly executedAfterUs: number | null
}

/** Measures a decision in shadow or active. Returns null in any other state. Writes nothing. */
export async function measureReuse(
  db: Pick<Runner, 'rows' | 'row'>,
  row: MeasuredRow,
  nowMs: number,
  bounds?: ReplayBounds,
): Promise<ReuseMeasurement | null> {
  const run = runOf(row)
  const isActive = row.state === 'active'
  if (run === null || (!isActive && row.state !== 'shadow')) return null
  const servingSinceUs = isActive ? row.activated_us : null
  const advanced = await advanceLadder(db, ladderSubjectOf(row), {
    settings: settingsOf(row),
    forcedFreshnessS: row.forced ? configOf(row).freshness_s : null,
    servingSinceUs,
    decisionId: row.id,
    ...(bounds === undefined ? {} : { bounds }),
  })
  const backUs = cameBackUs(row)
  // If the history is read anew, the rest of it is also from before.
  const isRefuted = backUs !== null && advanced.complete && advanced.ladder.isRefutedSince(backUs)
  if (isRefuted) advanced.ladder.restart(backUs)
  const standing = advanced.ladder.describe(servingSinceUs)
  const { trials, wrong } = standing.watched
  const effects = await measureEffects(db, row.id, run, isActive, trials === 0 ? 0 : wrong / trials)
  const serves = {
    inputs: advanced.ladder.listProven(maxInputs).sort(),
    freshnessS: standing.freshnessS,
    proven: isProven(row, standing, advanced),
    executedAfterUs: advanced.ladder.doubtedUs(),
  }
  const worth = await reweigh(db, row, nowMs, advanced.complete && advanced.executions > 0)
  return { measures: toMeasures(row, { standing, effects, serves, worth }), standing, effects, advanced, serves }
}

/**
 * What is not read yet may contradict the evidence so far. So a rule in shadow is not called proven before everything is read. An active rule
 * stays what it was while its history is read anew; later executions that wait to be read do not change what it is called.
 */
function isProven(
  { state, proven }: MeasuredRow,
  standing: GateStatus,
  { complete, position }: Pick<Advanced, 'complete' | 'position'>,
): boolean {
  if (state !== 'active') return standing.proven && complete
  return position.inHistory ? proven : standing.proven
}

export const ladderSubjectOf = (row: MeasuredRow): LadderSubject => ({
  workspaceId: row.workspace_id,
  toolName: row.tool_name,
  toolVersion: row.tool_version,
  agentId: row.agent_id,
  inputHash: row.input_hash,
})

export function settingsOf(row: MeasuredRow): LadderSettings {
  const { floor, alpha, holdout_rate: holdoutRate, freshness_s: maxFreshnessS } = configOf(row)
  return { floor, alpha, holdoutRate, maxFreshnessS }
}

type Known = Pick<ReuseMeasurement, 'standing' | 'effects' | 'serves'> & { readonly worth: Worth | null }

function toMeasures(row: MeasuredRow, { standing, effects, serves: { inputs, proven }, worth }: Known): Measures {
  const { shown, watched } = standing
  const { costDeltaUsd, latencyDeltaMs, qualityDelta, observed } = effects
  return {
    ...showShadow(row, shown),
    cost_delta_usd: costDeltaUsd,
    latency_delta_ms: latencyDeltaMs,
    quality_delta: qualityDelta,
    score: {
      verdict: standing.verdict,
      proven,
      forced: standing.forced,
      floor: settingsOf(row).floor,
      alpha: settingsOf(row).alpha,
      ...describeRung(shown),
      evidence_needed: roundTo(standing.threshold, shareDecimals),
      inputs: inputs.length,
      wrong_share: shareOf(watched.wrong, watched.trials) ?? 0,
      watch: { trials: watched.trials, wrong: watched.wrong },
      next:
        standing.next === null
          ? null
          : {
              freshness_s: standing.next.freshnessS,
              evidence: showEvidence(standing.next.evidence),
              blocks: standing.next.blocks,
              needs_blocks: standing.next.needsBlocks,
              needs_s: standing.next.needsS,
            },
      rungs: standing.rungs.map(describeRung),
      steps_down: standing.stepsDown,
      last_breach:
        standing.lastBreach === null
          ? null
          : {
              at: new Date(standing.lastBreach.atUs / 1_000).toISOString(),
              freshness_s: standing.lastBreach.freshnessS,
              reason: standing.lastBreach.reason,
            },
      expected_monthly_savings_usd: monthlySavingsUsd(effects),
      observed,
      worth,
    },
  }
}

const describeRung = (rung: RungStatus): Readonly<Record<string, unknown>> => ({
  freshness_s: rung.freshnessS,
  evidence: showEvidence(rung.evidence),
  blocks: rung.blocks,
  trials: rung.trials,
  wrong: rung.wrong,
  wrong_share_upper: roundTo(rung.wrongShareUpper, shareDecimals),
  rung_proven: rung.proven,
  needs_blocks: rung.needsBlocks,
  needs_s: rung.needsS,
})
