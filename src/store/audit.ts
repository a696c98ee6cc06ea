// Floor 2. Lines of the append-only audit log: who did what to what, never a token, a hash or content.

import { makeUuidV7 } from '../base/ids.ts'
import { cutIp } from '../base/ip.ts'
import type { Runner } from './database.ts'

export type AuditAction =
  | 'auth.signup'
  | 'auth.login'
  | 'auth.login_failed'
  | 'auth.refresh_reuse'
  | 'auth.logout'
  | 'member.invite'
  | 'member.join'
  | 'member.remove'
  | 'workspace.create'
  | 'workspace.change'
  | 'workspace.delete'
  | 'prices.change'
  | 'key.mint'
  | 'key.revoke'
  | 'decision.propose'
  | 'decision.move'

/** Where a request came from, as far as the log is concerned. */
export type Origin = { readonly id: string; readonly ip: string }

export type AuditLine = {
  readonly action: AuditAction
  readonly from: Origin
  readonly orgId?: string
  readonly workspaceId?: string
  /** Null: nobody was signed in, or a machine did it. */
  readonly userId: string | null
  /** The id of what it was done to. */
  readonly target?: string
  readonly detail?: Readonly<Record<string, string | number | boolean>>
}

/** One insert. Inside a transaction the line stands or falls with what it tells of. */
export async function writeAudit(on: Runner, line: AuditLine): Promise<void> {
  await on.run('accounts/append-audit', [
    makeUuidV7(),
    line.orgId ?? null,
    line.workspaceId ?? null,
    line.userId,
    line.action,
    line.target ?? null,
    line.from.id,
    cutIp(line.from.ip, { v4Octets: 3, v6Groups: 3 }),
    line.detail ?? null,
  ])
}
