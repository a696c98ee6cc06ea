// Floor 3. The settings of a workspace: its name, what content is kept, how long a stored result may be served, who lets rules into shadow.

import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { ContentMode } from '../otlp/redact/content-mode.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { StandingCode } from './codes.ts'
import { readStanding } from './standing.ts'

export type Settings = {
  readonly name: string
  readonly plan: string
  readonly contentMode: ContentMode
  readonly freshnessS: number
  /** Proposed decisions wait for a human; else they go to shadow by themselves. */
  readonly approvesDecisions: boolean
}

type Row = {
  name: string
  plan: string
  content_mode: ContentMode
  freshness_s: number
  approves_decisions: boolean
}
type Change = {
  readonly who: Session
  readonly workspaceId: string
  readonly name?: string | undefined
  readonly contentMode?: ContentMode | undefined
  readonly freshnessS?: number | undefined
  readonly approvesDecisions?: boolean | undefined
  readonly from: Origin
}

/** One query. */
export async function readSettings(db: Database, workspaceId: string): Promise<Outcome<Settings, 'not_found'>> {
  const row = await db.row<Row>('workspaces/read-settings', [workspaceId])
  return row === null ? refuse('not_found') : ok(shape(row))
}

/** Admin or above. What is not given stays as it is. One transaction; `onChange` is called after its commit. */
export async function changeSettings(
  deps: { readonly db: Database; readonly onChange: (workspaceId: string) => void },
  change: Change,
): Promise<Outcome<Settings, StandingCode>> {
  const { who, workspaceId, name, contentMode, freshnessS, approvesDecisions } = change
  const outcome = await deps.db.tx(async (tx): Promise<Outcome<Settings, StandingCode>> => {
    // Not from the route's check, which knows neither a logout nor, for some seconds, a role that was taken away elsewhere.
    const standing = await readStanding(tx, who, workspaceId, 'admin')
    if (!standing.ok) return standing
    const values = [workspaceId, name ?? null, contentMode ?? null, freshnessS ?? null, approvesDecisions ?? null]
    const row = await tx.row<Row & { org_id: string }>('workspaces/change-settings', values)
    if (row === null) return refuse('not_found')
    await writeAudit(tx, {
      action: 'workspace.change',
      from: change.from,
      userId: who.userId,
      orgId: row.org_id,
      workspaceId,
      target: workspaceId,
      detail: {
        content_mode: row.content_mode,
        freshness_s: row.freshness_s,
        approves_decisions: row.approves_decisions,
      },
    })
    return ok(shape(row))
  })
  if (outcome.ok) deps.onChange(workspaceId)
  return outcome
}

const shape = (row: Row): Settings => ({
  name: row.name,
  plan: row.plan,
  contentMode: row.content_mode,
  freshnessS: row.freshness_s,
  approvesDecisions: row.approves_decisions,
})
