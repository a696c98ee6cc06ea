// Updates the stored findings of a workspace to the result of one pass: opens, updates, and resolves those that are gone.
import { createHash } from 'node:crypto'
import { makeUuidV7 } from '../base/ids.ts'
import type { Database } from '../store/database.ts'
import { type Detector, describeWhole, type FindingDraft } from './detector.ts'

/** The result of a detector that did not fail. */
export type DetectorResult = {
  readonly detector: Pick<Detector, 'type' | 'lookBackMs'>
  readonly found: readonly FindingDraft[]
}

export type Written = { readonly opened: number; readonly updated: number; readonly resolved: number }

const none: Written = { opened: 0, updated: 0, resolved: 0 }

/**
 * Writes in one transaction under a lock of the workspace, so that concurrent passes run one after another. A live finding is updated if it
 * has changed, and keeps its status. A finding without any evidence left in its look-back is resolved. A resolved finding never changes:
 * evidence that is newer than it, and than its resolution by a user, opens another one. Types that are not among the results stay as they
 * are. Nothing is written if the workspace is deleted.
 */
export async function writeFindings(
  db: Database,
  scan: { readonly workspaceId: string; readonly nowMs: number; readonly results: readonly DetectorResult[] },
): Promise<Written> {
  const { workspaceId, nowMs, results } = scan
  if (results.length === 0) return none
  const rows = results.flatMap(({ detector, found }) => found.map((one) => makeRow(detector, one, nowMs)))
  return await db.tx(async (tx) => {
    if ((await tx.row('findings/hold-workspace', [workspaceId])) === null) return none
    await tx.row('findings/lock', [workspaceId])
    const kept = await tx.rows<{ is_new: boolean }>('findings/keep', [workspaceId, JSON.stringify(rows)])
    const resolved = await tx.run('findings/resolve-gone', [
      workspaceId,
      results.map(({ detector }) => detector.type),
      results.map(({ detector }) => new Date(nowMs - detector.lookBackMs)),
      new Date(nowMs),
    ])
    const opened = kept.filter(({ is_new: isNew }) => isNew).length
    return { opened, updated: kept.length - opened, resolved }
  })
}

const makeRow = (
  { type, lookBackMs }: DetectorResult['detector'],
  found: FindingDraft,
  nowMs: number,
): Record<string, unknown> => ({
  id: makeUuidV7(nowMs),
  type,
  look_back_ms: lookBackMs,
  subject: cutSubject(found.subject),
  severity: found.severity,
  title: found.title,
  detail: found.detail,
  agent_id: found.agentId,
  tool_name: found.toolName,
  model: found.model,
  occurrences: found.occurrences,
  est_monthly_cost_usd: found.estMonthlyCostUsd,
  // Every finding states the time in which its occurrences were counted.
  evidence: { looked_at: describeWhole(lookBackMs), ...found.evidence },
  decision_type: found.decision?.type ?? null,
  input_hashes: found.decision?.inputHashes ?? null,
  first_seen: found.firstSeen,
  last_seen: found.lastSeen,
})

// An index entry takes at most 2,704 bytes.
const maxSubjectBytes = 1_000

/** Returns the subject, or its hash if it is too long for an index. */
function cutSubject(subject: string): string {
  if (Buffer.byteLength(subject) <= maxSubjectBytes) return subject
  return `sha256:${createHash('sha256').update(subject).digest('hex')}`
}
