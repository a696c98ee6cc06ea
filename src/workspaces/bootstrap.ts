// The first request of an SDK: the workspace of its key, and the limits that the SDK should respect.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import type { KeyIdentity } from '../web/route.ts'
import type { Workspace } from './list.ts'
import { readPlan } from './plans.ts'

export type Bootstrap = {
  readonly workspace: Workspace
  readonly key: { readonly id: string; readonly name: string; readonly prefix: string }
  readonly plan: string
  readonly isQuotaExceeded: boolean
  readonly rulesVersion: string
  readonly freshnessS: number
  readonly serverTime: Date
}

type Row = {
  id: string
  name: string
  org_id: string
  org_name: string
  plan: string
  freshness_s: number
  rules_version: string
  key_id: string
  key_name: string
  key_prefix: string
  accepted_events: number
  server_time: Date
}

/** One query. The quota is that of the current month (UTC), by the clock of the database. */
export async function readBootstrap(db: Database, who: KeyIdentity): Promise<Outcome<Bootstrap, 'not_found'>> {
  const row = await db.row<Row>('workspaces/read-bootstrap', [who.workspaceId, who.keyId])
  if (row === null) return refuse('not_found')
  const { eventQuota } = readPlan(row.plan)
  return ok({
    workspace: { id: row.id, name: row.name, orgId: row.org_id, orgName: row.org_name },
    key: { id: row.key_id, name: row.key_name, prefix: row.key_prefix },
    plan: row.plan,
    isQuotaExceeded: eventQuota !== null && row.accepted_events >= eventQuota,
    rulesVersion: row.rules_version,
    freshnessS: row.freshness_s,
    serverTime: row.server_time,
  })
}
