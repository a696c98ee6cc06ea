// Proposes new rules for a workspace from what its agents did lately.
import type { Database, Runner } from '../../store/database.ts'
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
import { type DecisionConfig, maxLivingDecisions } from '../config.ts'
import { createDecision } from '../create.ts'
import type { DecisionRow } from '../decision-shape.ts'
import type { State } from '../lifecycle.ts'
import type { Candidate, Rival } from './candidate.ts'
import { compareSavings, type ExpectedSavings, lookBackMs } from './expect-savings.ts'
import { weighCandidates } from './weigh.ts'

export type Proposed =
  /** Another process is handling the workspace, or the workspace is gone. */
  | { readonly result: 'held' }
  /** `left`: number of candidates that were worth proposing but found no room. */
  | {
      readonly result: 'done'
      readonly proposed: readonly DecisionRow[]
      readonly evictions: readonly Eviction[]
      readonly left: number
    }

/** A decision that makes room for one that is worth more, which a later pass proposes. `state`: its state when it was chosen. */
export type Eviction = { readonly decisionId: string; readonly state: State; readonly reason: string }

export type ProposeOptions = {
  /** Maximum time for weighing, in ms. The statement in progress ends first, and the first subjects of each kind are weighed in any case. */
  readonly budgetMs?: number
  /** Maximum number of decisions that are neither active nor disabled. */
  readonly maxOpen?: number
  /** Maximum number of decisions that are not disabled: SDKs hold all active ones, and fetch all of them after every change. */
  readonly maxLiving?: number
}

type Progress = RuleDefaults & {
  readonly now: Date
  readonly proposed_until: Date | null
  readonly living: number
  readonly open: number
  readonly late_from: Date | null
}

// A span is sent after it has ended, and its start may be a little ahead of the clock of the service.
const overlapMs = 600_000
// For this long it is known when spans were committed.
const commitsKeptMs = 3_000_000
const evictionFactor = 2

/**
 * Proposes worthwhile rules, the most valuable first, while there is room. Weighs only subjects that ran since the last pass, so that none
 * is weighed again without need. One transaction; of two concurrent calls, one returns `held`. Throws Outage.
 */
export async function proposeFor(
  { db }: { readonly db: Database },
  workspaceId: string,
  { budgetMs = 2_000, maxOpen = 100, maxLiving = maxLivingDecisions }: ProposeOptions = {},
): Promise<Proposed> {
  const untilMs = performance.now() + budgetMs
  await db.run('decisions/begin-progress', [workspaceId])
  return await db.tx(async (tx) => {
    const progress = await tx.row<Progress>('decisions/hold-progress', [workspaceId])
    if (progress === null) return { result: 'held' }
    const toMs = progress.now.getTime()
    const fromMs = toMs - lookBackMs
    const candidates = await weighCandidates(tx, {
      workspaceId,
      fromMs,
      toMs,
      sinceMs: Math.max(fromMs, findStart(progress)),
      defaults: progress,
      untilMs,
    })
    const best = candidates.sort((a, b) => compareSavings(a.expected, b.expected))
    const proposed: DecisionRow[] = []
    const evictions: Eviction[] = []
    const room = Math.min(maxOpen - progress.open, maxLiving - progress.living)
    const left: Candidate[] = []
    for (const candidate of best) {
      const { type, config, reason, rival } = candidate
      if (rival !== null)
        evictions.push({ decisionId: rival.id, state: rival.state, reason: describeReplacement(config) })
      else if (proposed.length >= room) left.push(candidate)
      else {
        const { created, row } = await createDecision(tx, { workspaceId, type, config, actor: 'gate', reason })
        if (created) proposed.push(row)
      }
    }
    if (left.length > 0) evictions.push(...chooseEvictions(left, await listOpen(tx, workspaceId, left.length)))
    // Candidates that wait for an eviction are weighed again in the next pass.
    if (evictions.length === 0) await tx.run('decisions/finish-progress', [workspaceId, progress.now])
    return { result: 'done', proposed, evictions, left: left.length }
  })
}

type OpenRow = Rival & { readonly expected: Pick<ExpectedSavings, 'rank'> }

/** Returns the open decisions that the gate proposed, the least valuable first. */
const listOpen = async (db: Pick<Runner, 'rows'>, workspaceId: string, limit: number): Promise<OpenRow[]> =>
  await db.rows<OpenRow>('decisions/list-least-worth', [workspaceId, limit])

/**
 * Each candidate, the best first, replaces the least valuable open decision if it is worth more than twice as much. Without this factor,
 * two candidates of about the same value that are weighed at different times would replace each other again and again.
 */
function chooseEvictions(candidates: readonly Candidate[], open: readonly OpenRow[]): Eviction[] {
  return candidates.flatMap(({ expected, config }, at) => {
    const least = open[at]
    if (least === undefined || compareSavings(expected, worthMore(least.expected)) >= 0) return []
    const reason = `replaced by a rule for the tool ${config.tool_name}, which saves more`
    return [{ decisionId: least.id, state: least.state, reason }]
  })
}

const worthMore = ({ rank: { usd, latency_saved_ms: savedMs } }: OpenRow['expected']): OpenRow['expected'] => ({
  rank: { usd: usd * evictionFactor, latency_saved_ms: savedMs * evictionFactor },
})

const describeReplacement = ({ tool_version: version }: DecisionConfig): string =>
  `the tool now runs more often ${version === null ? 'without a version' : `as version ${version}`}`

/**
 * Returns the time from which executions are new, Unix ms. Late spans, such as a history that is sent at once, move it back to their own
 * start.
 */
function findStart({ now, proposed_until: until, late_from: lateFrom }: Progress): number {
  if (until === null || now.getTime() - until.getTime() > commitsKeptMs) return Number.NEGATIVE_INFINITY
  return Math.min(until.getTime() - overlapMs, lateFrom?.getTime() ?? Number.POSITIVE_INFINITY)
}
