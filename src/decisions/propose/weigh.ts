// What the executions of the last days speak for: tools that give the same again, and tools whose results no model uses.
import type { Runner } from '../../store/database.ts'
import type { Candidate, Look } from './candidate.ts'
import { weighSubjects } from './weigh-subjects.ts'
import { weighUnread } from './weigh-unread.ts'

const coolDownMs = 30 * 86_400_000

/** Everything worth a proposal on which nothing lives and nothing was disabled in the last 30 days. Unordered. Throws Outage. */
export async function weighCandidates(db: Pick<Runner, 'rows' | 'row'>, look: Look): Promise<Candidate[]> {
  const { workspaceId, sinceMs, toMs } = look
  const window = [new Date(sinceMs), new Date(toMs)]
  const disabledSince = new Date(toMs - coolDownMs)
  const tools = await db.rows<{ tool_name: string }>('decisions/list-touched-tools', [workspaceId, ...window])
  const toolNames = tools.map((tool) => tool.tool_name)
  const reusable = toolNames.length === 0 ? [] : await weighSubjects(db, look, toolNames, disabledSince)
  return [...reusable, ...(await weighUnread(db, look, disabledSince))]
}
