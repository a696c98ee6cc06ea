// The settings of a workspace: its name, the stored content and its retention, and how rules are proposed and judged.
import { isDeepStrictEqual } from 'node:util'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { ContentMode } from '../redact/content-mode.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Session } from '../web/route.ts'
import type { SettingsCode, WorkspaceRoleCode } from './codes.ts'
import type { RuleDefaults } from './rule-defaults.ts'
import { readWorkspaceRole } from './workspace-role.ts'

/** The settings as stored. */
export type WorkspaceSettings = RuleDefaults & {
  readonly name: string
  readonly plan: string
  readonly content_mode: ContentMode
  /** True: proposed decisions wait for a user; false: they move to shadow automatically. */
  readonly approves_decisions: boolean
  /** Null: the retention of the plan. */
  readonly retention_days: number | null
}

/** Returns the retention in days under a plan, for the days that a workspace chose (null: none); null: forever. */
export type KeepDaysOf = (plan: string, chosenDays: number | null) => number | null

export type SettingsDeps = {
  readonly db: Database
  readonly keepDaysOf: KeepDaysOf
  readonly onChange: (workspaceId: string) => void
}

type Change = {
  readonly who: Session
  readonly workspaceId: string
  readonly values: { readonly [Name in keyof Omit<WorkspaceSettings, 'plan'>]?: WorkspaceSettings[Name] | undefined }
  readonly from: Origin
}

/** One query. */
export async function readSettings(
  db: Database,
  workspaceId: string,
): Promise<Outcome<WorkspaceSettings, 'not_found'>> {
  const row = await db.row<WorkspaceSettings>('workspaces/read-settings', [workspaceId])
  return row === null ? refuse('not_found') : ok(row)
}

/**
 * Requires admin or above. Omitted values stay. One transaction; `onChange` is called after the commit, even if nothing changed: an earlier
 * notice may have been lost. The audit log records only changes.
 */
export async function changeSettings(
  deps: SettingsDeps,
  { who, workspaceId, values, from }: Change,
): Promise<Outcome<WorkspaceSettings, SettingsCode>> {
  const outcome = await deps.db.tx(async (tx): Promise<Outcome<WorkspaceSettings, SettingsCode>> => {
    const locked = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
    // Read again: the check of the route misses a logout and, for some seconds, a role that was removed on another front. After the lock:
    // the caller may lose the role while this call waits.
    const callerRole: Outcome<unknown, WorkspaceRoleCode> = await readWorkspaceRole(tx, who, workspaceId, 'admin')
    if (!callerRole.ok) return callerRole
    const before = await tx.row<WorkspaceSettings>('workspaces/read-settings', [workspaceId])
    if (locked === null || before === null) return refuse('not_found')
    const days = values.retention_days ?? null
    if (days !== null && deps.keepDaysOf(before.plan, days) !== days) return refuse('days_not_kept')
    const row = await tx.row<WorkspaceSettings & { org_id: string }>('workspaces/change-settings', [
      workspaceId,
      values.name ?? null,
      values.content_mode ?? null,
      values.freshness_s ?? null,
      values.approves_decisions ?? null,
      values.holdout_rate ?? null,
      values.floor ?? null,
      values.alpha ?? null,
      values.retention_days !== undefined,
      days,
    ])
    if (row === null) return refuse('not_found')
    const { org_id: orgId, ...settings } = row
    const line = { from, userId: who.userId, orgId, workspaceId, target: workspaceId }
    if (!isDeepStrictEqual(settings, before))
      await writeAudit(tx, { action: 'workspace.change', ...line, detail: notifyOf(settings) })
    return ok(settings)
  })
  if (outcome.ok) deps.onChange(workspaceId)
  return outcome
}

/** The settings by their names in the interface, for the audit log. */
const notifyOf = (settings: WorkspaceSettings) => ({
  content_mode: settings.content_mode,
  default_freshness_s: settings.freshness_s,
  auto_shadow: !settings.approves_decisions,
  holdout_rate: settings.holdout_rate,
  floor: settings.floor,
  alpha: settings.alpha,
  retention_days: settings.retention_days ?? 'plan',
})
