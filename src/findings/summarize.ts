// Counts the findings of a workspace by type, severity and status.
import { z } from 'zod'
import type { Runner } from '../store/database.ts'
import { detectors } from './detectors.ts'
import { type FindingRow, statuses } from './finding-shape.ts'

const count = z.int().nonnegative()
const byStatusOut = z.object({ open: count, acknowledged: count, resolved: count })

export const findingSummaryOut = z
  .object({
    total: count,
    by_status: byStatusOut,
    by_severity: z.object({ info: byStatusOut, warning: byStatusOut, critical: byStatusOut }),
    by_type: z
      .record(z.string(), byStatusOut)
      .meta({ description: 'Every known type, and any other type in the workspace' }),
  })
  .meta({ id: 'FindingSummary' })

type Counts = Record<FindingRow['status'], number>
type Row = Pick<FindingRow, 'type' | 'severity' | 'status'> & { readonly findings: number }

const none = (): Counts => ({ open: 0, acknowledged: 0, resolved: 0 })

/** One query over the findings of the workspace. */
export async function summarizeFindings(
  db: Pick<Runner, 'rows'>,
  workspaceId: string,
): Promise<z.input<typeof findingSummaryOut>> {
  const byStatus = none()
  const bySeverity = { info: none(), warning: none(), critical: none() }
  const byType = new Map(detectors.map(({ type }) => [type, none()]))
  for (const { type, severity, status, findings } of await db.rows<Row>('findings/summarize', [workspaceId])) {
    const ofType = byType.get(type) ?? none()
    for (const counts of [byStatus, bySeverity[severity], ofType]) counts[status] += findings
    byType.set(type, ofType)
  }
  const total = statuses.reduce((sum, status) => sum + byStatus[status], 0)
  return { total, by_status: byStatus, by_severity: bySeverity, by_type: Object.fromEntries(byType) }
}
