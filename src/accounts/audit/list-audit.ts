// Lists the audit log of an org or of a workspace, newest first, one page at a time.
import { nilUuid } from '../../base/ids.ts'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { AuditAction } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'

export type AuditRow = {
  id: string
  at: Date
  /** The time to the microsecond, as text: a Date would cut it to the millisecond. */
  at_key: string
  workspace_id: string | null
  actor_user_id: string | null
  /** Null if the user is deleted, or if no user acted. */
  actor_email: string | null
  action: string
  target: string | null
  /** Null if the target has no name, or no longer exists. */
  target_name: string | null
  request_id: string | null
  ip_prefix: string | null
  detail: Readonly<Record<string, string | number | boolean>> | null
}

/** The log of an org includes the lines of its workspaces, and the sign-ins of people while they were its members. */
export type AuditOf = { readonly kind: 'org' | 'workspace'; readonly id: string }

export type AuditQuery = {
  /** Filters by actor. In a line without an actor, the target counts as the actor. */
  readonly actor?: string | undefined
  readonly action?: AuditAction | undefined
  /** Microseconds since 1970; the window is half-open. Default: all stored lines. */
  readonly from_time?: number | undefined
  readonly to_time?: number | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export type AuditPage = { readonly rows: readonly AuditRow[]; readonly nextCursor: string | null }

type StoredRow = Omit<AuditRow, 'target_name'>
type State = { readonly fromUs: number; readonly toUs: number; readonly key: readonly [atKey: string, id: string] }
type Deps = { readonly db: Database; readonly cursors: Cursors; readonly now: () => Date }

/** Two queries. Lines never change, so each line that existed when the first page was read is on exactly one page. */
export async function listAudit(
  { db, cursors, now }: Deps,
  of: AuditOf,
  query: AuditQuery,
): Promise<Outcome<AuditPage, 'cursor_invalid'>> {
  const { actor, action, from_time: from, to_time: to, limit, cursor } = query
  const scope = { route: `audit of ${of.kind}`, workspaceId: of.id, filters: { actor, action } }
  const opened = cursor === undefined ? null : cursors.open<State>(scope, cursor)
  if (opened?.ok === false) return opened
  const pinned = opened?.value.state
  const isOther = (given: number | undefined, held: number | undefined): boolean =>
    given !== undefined && held !== undefined && given !== held
  if (isOther(from, pinned?.fromUs) || isOther(to, pinned?.toUs)) return refuse('cursor_invalid')

  const fromUs = pinned?.fromUs ?? from ?? 0
  // Lines written while the first page is read have the time of the database, whose clock may be ahead.
  const toUs = pinned?.toUs ?? to ?? now().getTime() * 1_000 + clockToleranceUs
  // The first page starts at the end of the window, which is excluded: no line at that time has a lower id.
  const values = [of.id, fromUs, toUs, ...(pinned?.key ?? [null, nilUuid]), actor ?? null, action ?? null, limit + 1]
  const rows =
    of.kind === 'org'
      ? await db.rows<StoredRow>('accounts/list-org-audit', values)
      : await db.rows<StoredRow>('accounts/list-workspace-audit', values)
  const page = await nameTargets(db, rows.slice(0, limit))
  const last = page.at(-1)
  if (rows.length <= limit || last === undefined) return ok({ rows: page, nextCursor: null })
  const state: State = { fromUs, toUs, key: [last.at_key, last.id] }
  return ok({ rows: page, nextCursor: cursors.seal(scope, { ...state }, opened?.value.firstReadMs) })
}

/** The log holds ids alone. Names are read when it is shown, so that they are gone from it with the object. */
async function nameTargets(db: Database, rows: readonly StoredRow[]): Promise<AuditRow[]> {
  const targets = rows.flatMap(({ target }) => (target === null ? [] : [target]))
  const workspaces = rows.flatMap(({ workspace_id: id }) => (id === null ? [] : [id]))
  const found = await db.rows<{ id: string; name: string }>('accounts/name-audit-targets', [
    [...new Set(targets)],
    [...new Set(workspaces)],
  ])
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, target_name: names.get(row.target ?? '') ?? null }))
}

const clockToleranceUs = 60_000_000
