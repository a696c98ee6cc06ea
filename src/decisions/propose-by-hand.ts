// Proposals of decisions by a signed-in user.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { RuleDefaults } from '../workspaces/rule-defaults.ts'
import { readWorkspaceRole } from '../workspaces/workspace-role.ts'
import type { ProposeCode } from './codes.ts'
import { completeConfig, type DecisionType, type GivenConfig, maxLivingDecisions } from './config.ts'
import { createDecision } from './create.ts'
import type { DecisionRow } from './decision-shape.ts'

type Input = {
  readonly who: Session
  readonly workspaceId: string
  readonly type: DecisionType
  readonly config: GivenConfig
  readonly from: Origin
}

/**
 * Requires the role member or above. A workspace may have about 1,000 decisions that are not disabled, fewer with large configs; concurrent
 * proposals do not count each other. One transaction.
 */
export async function proposeByHand(db: Database, input: Input): Promise<Outcome<DecisionRow, ProposeCode>> {
  const { who, workspaceId, type, from } = input
  return await db.tx(async (tx): Promise<Outcome<DecisionRow, ProposeCode>> => {
    // Read again: the check of the route does not see a logout nor, for some seconds, a role that was revoked through another process.
    const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'member')
    if (!callerRole.ok) return callerRole
    const workspace = await tx.row<RuleDefaults & { org_id: string; living: number }>('decisions/read-workspace', [
      workspaceId,
      maxLivingDecisions,
    ])
    if (workspace === null) return refuse('not_found')
    if (workspace.living >= maxLivingDecisions) return refuse('too_many_decisions')

    const config = completeConfig(input.config, workspace)
    if (config.agent_id !== null) {
      const agent = await tx.row('decisions/find-agent', [workspaceId, config.agent_id])
      if (agent === null) return refuse('no_agent')
    }
    const { created, row } = await createDecision(tx, { workspaceId, type, config, actor: 'user', userId: who.userId })
    if (!created) return refuse('taken')
    const line = { from, userId: who.userId, orgId: workspace.org_id, workspaceId, target: row.id }
    await writeAudit(tx, { action: 'decision.propose', ...line, detail: { type } })
    return ok(row)
  })
}
