// Measures a suppress_dead decision: how many sessions use the result, and what serving changes in a session.
import type { Runner } from '../store/database.ts'
import { roundTo, shareDecimals } from './gate/round.ts'
import { type Effects, measureEffects } from './measure-effects.ts'
import { type Measures, monthlySavingsUsd, shareOf, showEvidence, showShadow } from './measures.ts'
import type { Worth } from './propose/candidate.ts'
import { reweigh } from './propose/reweigh.ts'
import { cameBackUs, configOf, type MeasuredRow, runOf } from './trials/phase.ts'
import { type AdvancedUnread, advanceUnread, type UnreadBounds, type UnreadSubject } from './unread/advance-unread.ts'
import { compareOutcomes, type SessionComparisons } from './unread/compare-outcomes.ts'
import { blockUs } from './unread/sessions.ts'
import type { UnreadEvidence, UnreadStanding } from './unread/unread-evidence.ts'
import { type HeldOut, noneHeldOut, watchHeldOut } from './unread/watch-held-out.ts'

const dayUs = 86_400_000_000

export type UnreadMeasurement = {
  readonly measures: Measures
  readonly standing: UnreadStanding
  readonly heldOut: HeldOut
  readonly effects: Effects
  readonly advanced: AdvancedUnread
  readonly proven: boolean
}

/**
 * Measures a decision in shadow or active. Returns null in any other state. Writes nothing. `maxAgeUs`: age up to which
 * ingest accepts an execution, in microseconds; null: any.
 */
export async function measureUnread(
  db: Pick<Runner, 'rows' | 'row'>,
  row: MeasuredRow,
  nowUs: number,
  maxAgeUs: number | null,
  bounds?: UnreadBounds,
): Promise<UnreadMeasurement | null> {
  const run = runOf(row)
  const isActive = row.state === 'active'
  if (run === null || (!isActive && row.state !== 'shadow')) return null
  const { floor, alpha, min_samples: minSamples } = configOf(row)
  const servedSinceUs = isActive ? row.activated_us : null
  const counted = await advanceUnread(db, unreadSubjectOf(row), {
    settings: { floor, alpha },
    heldOutSinceUs: servedSinceUs,
    nowUs,
    // A day more, for executions that were accepted since the last measurement, and for clocks that differ.
    acceptedSinceUs: maxAgeUs === null ? null : nowUs - maxAgeUs - dayUs,
    mayProve: !(isActive && row.proven),
    ...(bounds === undefined ? {} : { bounds }),
  })
  const advanced = { ...counted, evidence: beginAnew(row, counted.evidence) }
  const standing = advanced.evidence.describe()
  const own = { workspaceId: row.workspace_id, decisionId: row.id }
  const heldOut =
    servedSinceUs === null ? noneHeldOut : await watchHeldOut(db, own, { floor, sinceUs: servedSinceUs, nowUs })
  const outcomes = servedSinceUs === null ? null : await compareOutcomes(db, own, servedSinceUs)
  const wrongShare = shareOf(heldOut.wrong, heldOut.trials) ?? 0
  const effects = await measureEffects(db, row.id, run, isActive, wrongShare)
  // An active rule stays proven until the watch ends it, whatever the newest blocks show in the meantime.
  const isProven = standing.proven && advanced.complete && standing.trials >= minSamples
  const proven = isProven || (isActive && row.proven)
  const worth = await reweigh(db, row, nowUs / 1_000, standing.trials !== row.score?.['trials'])
  const measures = toMeasures(row, { standing, heldOut, outcomes, effects, proven, worth })
  return { measures, standing, heldOut, effects, advanced, proven }
}

export const unreadSubjectOf = (row: MeasuredRow): UnreadSubject => ({
  workspaceId: row.workspace_id,
  toolName: row.tool_name,
  toolVersion: row.tool_version,
  agentId: row.agent_id,
})

function beginAnew(row: MeasuredRow, evidence: UnreadEvidence): UnreadEvidence {
  const backUs = cameBackUs(row)
  const isOfBefore = backUs !== null && evidence.sinceUs < backUs
  return isOfBefore && evidence.describe().verdict === 'fail' ? evidence.restart(backUs) : evidence
}

type Known = Pick<UnreadMeasurement, 'standing' | 'heldOut' | 'effects' | 'proven'> & {
  readonly outcomes: SessionComparisons | null
  readonly worth: Worth | null
}

function toMeasures(row: MeasuredRow, { standing, heldOut, outcomes, effects, proven, worth }: Known): Measures {
  const { floor, alpha } = configOf(row)
  const isActive = row.state === 'active'
  const { costDeltaUsd, latencyDeltaMs, observed } = effects
  const seen = isActive ? heldOut : standing
  return {
    ...showShadow(row, standing),
    cost_delta_usd: costDeltaUsd,
    latency_delta_ms: latencyDeltaMs,
    quality_delta: outcomes?.quality.difference ?? null,
    score: {
      verdict: standing.verdict,
      proven,
      forced: row.forced && !proven,
      floor,
      alpha,
      evidence: showEvidence(standing.evidence),
      evidence_needed: roundTo(standing.threshold, shareDecimals),
      block_s: blockUs / 1_000_000,
      blocks: standing.blocks,
      trials: standing.trials,
      wrong: standing.wrong,
      wrong_share: shareOf(seen.wrong, seen.trials) ?? 0,
      wrong_share_upper: roundTo(standing.wrongShareUpper, shareDecimals),
      watch: { trials: heldOut.trials, wrong: heldOut.wrong },
      needs: proven ? null : { blocks: standing.needsBlocks, s: standing.needsS },
      outcomes,
      expected_monthly_savings_usd: monthlySavingsUsd(effects),
      observed,
      worth,
    },
  }
}
