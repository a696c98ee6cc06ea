// Floor 3. New rules for a workspace, out of what its agents did lately.
import type { Database } from '../../store/database.ts'
import { maxLivingDecisions } from '../config.ts'
import { createDecision } from '../create.ts'
import type { DecisionRow } from '../decision-shape.ts'
import { compareSavings } from './expect-savings.ts'
import { weighCandidates } from './weigh.ts'

export type Proposed =
  /** Another process has the workspace in hand, or it is gone. */
  | { readonly result: 'held' }
  /** `left`: what was worth proposing and found no place among the open ones. */
  | { readonly result: 'done'; readonly proposed: readonly DecisionRow[]; readonly left: number }

export type ProposeOptions = {
  /** How long it may look, in ms; the statement in hand ends first. */
  readonly budgetMs?: number
  /** How many may be neither active nor disabled at a time. */
  readonly maxOpen?: number
  /** How many may be anything but disabled: SDKs hold all that are active, and get them all with every change. */
  readonly maxLiving?: number
}

type Progress = {
  readonly now: Date
  readonly proposed_until: Date | null
  readonly freshness_s: number
  readonly living: number
  readonly open: number
  readonly late_from: Date | null
}

const lookBackMs = 7 * 86_400_000
// A span is sent when it has ended, and may start a little ahead of our clock.
const overlapMs = 600_000
// For as long it is known what was committed when.
const commitsKeptMs = 3_000_000

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
      freshnessS: progress.freshness_s,
      untilMs,
    })
    const best = candidates.sort((a, b) => compareSavings(a.expected, b.expected))
    const proposed: DecisionRow[] = []
    const room = Math.min(maxOpen - progress.open, maxLiving - progress.living)
    let left = 0
    for (const { type, config, reason } of best) {
      if (proposed.length >= room) {
        left += 1
        continue
      }
      const { created, row } = await createDecision(tx, { workspaceId, type, config, actor: 'gate', reason })
      if (created) proposed.push(row)
    }
    await tx.run('decisions/finish-progress', [workspaceId, progress.now])
    return { result: 'done', proposed, left }
  })
}

/** From when on runs are new. What comes late, such as a history that is sent at once, reaches back to its own start. */
function findStart({ now, proposed_until: until, late_from: lateFrom }: Progress): number {
  if (until === null || now.getTime() - until.getTime() > commitsKeptMs) return Number.NEGATIVE_INFINITY
  return Math.min(until.getTime() - overlapMs, lateFrom?.getTime() ?? Number.POSITIVE_INFINITY)
}
