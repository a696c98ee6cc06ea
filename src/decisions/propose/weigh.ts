// Finds candidates in the executions of the last days: tools that return the same result again, and tools whose results no model uses.
import type { Runner } from '../../store/database.ts'
import type { Candidate, ProposalScan } from './candidate.ts'
import { weighSubjects } from './weigh-subjects.ts'
import { weighUnread } from './weigh-unread.ts'

const coolDownMs = 30 * 86_400_000

/**
 * Returns everything worth a proposal that has no live decision and none that was disabled in the last 30 days other than by eviction.
 * Unordered. Throws Outage.
 */
export async function weighCandidates(db: Pick<Runner, 'rows' | 'row'>, scan: ProposalScan): Promise<Candidate[]> {
  const { workspaceId, sinceMs, toMs } = scan
  const window = [new Date(sinceMs), new Date(toMs)]
  const disabledSince = new Date(toMs - coolDownMs)
  const tools = await db.rows<{ tool_name: string }>('decisions/list-touched-tools', [workspaceId, ...window])
  const toolNames = tools.map((tool) => tool.tool_name)
  const reusable = toolNames.length === 0 ? [] : await weighSubjects(db, scan, toolNames, disabledSince)
  return [...reusable, ...(await weighUnread(db, scan, disabledSince))]
}
