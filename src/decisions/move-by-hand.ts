// Moves of a decision by a signed-in user.
import { type Outcome, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import { readSqlstate, sqlstate } from '../store/sqlstate.ts'
import type { Session } from '../web/route.ts'
import { readWorkspaceRole } from '../workspaces/workspace-role.ts'
import type { MoveByHandCode } from './codes.ts'
import { maxLivingDecisions } from './config.ts'
import type { DecisionRow } from './decision-shape.ts'
import type { State } from './lifecycle.ts'
import { moveInTx, touchesRules } from './move.ts'

type Deps = { readonly db: Database; readonly publishRules: (workspaceId: string) => void }
type Input = {
  readonly who: Session
  readonly workspaceId: string
  readonly decisionId: string
  readonly to: State
  readonly reason?: string | undefined
  readonly expectedState?: State | undefined
  /** Activates a rule that is not proven. */
  readonly isForced?: boolean | undefined
  readonly from: Origin
}

/** Requires the role member or above. One transaction. `publishRules` is called after its commit if the rules changed. */
export async function moveByHand(deps: Deps, input: Input): Promise<Outcome<DecisionRow, MoveByHandCode>> {
  const outcome = await move(deps.db, input).catch((error: unknown) => {
    if (readSqlstate(error) === sqlstate.uniqueViolation) return refuse('taken')
    throw error
  })
  if (outcome.ok && touchesRules(outcome.value)) deps.publishRules(input.workspaceId)
  return outcome
}

async function move(db: Database, input: Input): Promise<Outcome<DecisionRow, MoveByHandCode>> {
  const { who, workspaceId, decisionId, to, reason, expectedState, isForced, from } = input
  return await db.tx(async (tx): Promise<Outcome<DecisionRow, MoveByHandCode>> => {
    const known = await tx.row<{ state: string; proven: boolean }>('decisions/lock', [workspaceId, decisionId])
    // Read again: the check of the route does not see a logout nor, for some seconds, a role that was revoked through another process.
    // After the lock: the caller may lose the role while this call waits.
    const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'member')
    if (!callerRole.ok) return callerRole
    const needsForce = known?.state === 'shadow' && to === 'active' && !known.proven
    if (needsForce && isForced !== true) return refuse('not_proven')
    if (known?.state === 'disabled') {
      const workspace = await tx.row<{ living: number }>('decisions/read-workspace', [workspaceId, maxLivingDecisions])
      if (workspace !== null && workspace.living >= maxLivingDecisions) return refuse('too_many_decisions')
    }
    const step = { workspaceId, decisionId, to, actor: 'user', userId: who.userId, reason, expectedState } as const
    const moved = await moveInTx(tx, { ...step, isForced: needsForce })
    if (!moved.ok) return moved
    const workspace = await tx.row<{ org_id: string }>('decisions/read-org', [workspaceId])
    if (workspace === null) throw new Error('the workspace of a decision was not found')
    const line = { from, userId: who.userId, orgId: workspace.org_id, workspaceId, target: decisionId }
    const detail = { from: moved.value.previous_state ?? '', to, ...(needsForce ? { forced: true } : {}) }
    await writeAudit(tx, { action: 'decision.move', ...line, detail })
    return moved
  })
}
