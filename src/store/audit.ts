// Writes lines of the append-only audit log: who did what to what, never a token, a hash or content.

import { makeUuidV7 } from '../base/ids.ts'
import { cutIp } from '../base/ip.ts'
import type { Runner } from './database.ts'

export const auditActions = [
  'auth.signup',
  'auth.login',
  'auth.login_failed',
  'auth.refresh_reuse',
  'auth.logout',
  'auth.session_end',
  'auth.profile_change',
  'auth.password_change',
  'auth.password_failed',
  'auth.reset_request',
  'auth.reset_link',
  'auth.reset',
  'user.delete',
  'org.change',
  'org.delete',
  'member.invite',
  'member.invite_delete',
  'member.join',
  'member.role',
  'member.remove',
  'workspace.create',
  'workspace.change',
  'workspace.delete',
  'workspace.export',
  'prices.change',
  'key.mint',
  'key.revoke',
  'decision.propose',
  'decision.move',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Where a request came from: the fields that the log records. */
export type Origin = { readonly id: string; readonly ip: string }

export type AuditLine = {
  readonly action: AuditAction
  readonly from: Origin
  readonly orgId?: string
  readonly workspaceId?: string
  /** Null: nobody was signed in, or a machine acted. */
  readonly userId: string | null
  /** The id of the object of the action. */
  readonly target?: string
  readonly detail?: Readonly<Record<string, string | number | boolean>>
}

/** The client's address as the log keeps it: IPv4 /24 or IPv6 /48. */
export const cutOriginIp = (from: Pick<Origin, 'ip'>): string => cutIp(from.ip, { v4Octets: 3, v6Groups: 3 })

/** One insert. Inside a transaction, the line is committed or rolled back together with the action. */
export async function writeAudit(on: Runner, line: AuditLine): Promise<void> {
  await on.run('accounts/append-audit', [
    makeUuidV7(),
    line.orgId ?? null,
    line.workspaceId ?? null,
    line.userId,
    line.action,
    line.target ?? null,
    line.from.id,
    cutOriginIp(line.from),
    line.detail ?? null,
  ])
}
