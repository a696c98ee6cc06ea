// New rules for a workspace, out of what its agents did lately.
import type { Database, Runner } from '../../store/database.ts'
import type { RuleDefaults } from '../../workspaces/rule-defaults.ts'
import { type DecisionConfig, maxLivingDecisions } from '../config.ts'
import { createDecision } from '../create.ts'
import type { DecisionRow } from '../decision-shape.ts'
import type { State } from '../lifecycle.ts'
import type { Candidate, Rival } from './candidate.ts'
import { compareSavings, type ExpectedSavings } from './expect-savings.ts'
import { weighCandidates } from './weigh.ts'

export type Proposed =
  /** Another process has the workspace in hand, or it is gone. */
  | { readonly result: 'held' }
  /** `left`: what was worth proposing and found no place among the open ones. */
  | {
      readonly result: 'done'
      readonly proposed: readonly DecisionRow[]
      readonly evictions: readonly Eviction[]
      readonly left: number
    }

/**
 * A decision that gives its place to one that is worth more; that one is proposed by a later look. `state`: what it was when it was
 * chosen.
 */
export type Eviction = { readonly decisionId: string; readonly state: State; readonly reason: string }

export type ProposeOptions = {
  /** How long it may look, in ms; the statement in hand ends first. */
  readonly budgetMs?: number
  /** How many may be neither active nor disabled at a time. */
  readonly maxOpen?: number
  /** How many may be anything but disabled: SDKs hold all that are active, and get them all with every change. */
  readonly maxLiving?: number
}

type Progress = RuleDefaults & {
  readonly now: Date
  readonly proposed_until: Date | null
  readonly living: number
  readonly open: number
  readonly late_from: Date | null
}

const lookBackMs = 7 * 86_400_000
// A span is sent when it has ended, and may start a little ahead of our clock.
const overlapMs = 600_000
// For as long it is known what was committed when.
const commitsKeptMs = 3_000_000
const evictionFactor = 2

/**
 * Proposes what is worth it, the most valuable first, as far as there is room. Looks only at what has run since the
 * last look, so that nothing is weighed twice for nothing. One transaction: two at once are one. Throws Outage.
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
    // Who has to wait for a place is looked at again.
    if (evictions.length === 0) await tx.run('decisions/finish-progress', [workspaceId, progress.now])
    return { result: 'done', proposed, evictions, left: left.length }
  })
}

type OpenRow = Rival & { readonly expected: Pick<ExpectedSavings, 'rank'> }

/** Open decisions of the gate's own, those that are worth least first. */
const listOpen = async (db: Pick<Runner, 'rows'>, workspaceId: string, limit: number): Promise<OpenRow[]> =>
  await db.rows<OpenRow>('decisions/list-least-worth', [workspaceId, limit])

/**
 * Each candidate, the best first, takes the place of the open decision that is worth least, where it is worth more by so much that two of
 * about the same worth, of which the one was weighed later, do not take the place of one another again and again.
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

/** From when on runs are new. What comes late, such as a history that is sent at once, reaches back to its own start. */
function findStart({ now, proposed_until: until, late_from: lateFrom }: Progress): number {
  if (until === null || now.getTime() - until.getTime() > commitsKeptMs) return Number.NEGATIVE_INFINITY
  return Math.min(until.getTime() - overlapMs, lateFrom?.getTime() ?? Number.POSITIVE_INFINITY)
}
