// HTTP: the audit logs of an org and of a workspace.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import { auditActions } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { type Cursors, cursorParam } from '../../web/page.ts'
import { type Route, route } from '../../web/route.ts'
import {
  dateTimeOut,
  ifValid,
  limitParam,
  pairFault,
  timestamp,
  uuid,
  uuidOut,
  workspaceParams,
} from '../../web/shapes.ts'
import { auditRefusals } from '../codes.ts'
import { readOrgRole } from '../member/org-role.ts'
import { orgParams } from '../shapes.ts'
import { type AuditPage, type AuditRow, listAudit } from './list-audit.ts'

/** `db` reads the log, which may take long; `control` reads roles. */
type Deps = {
  readonly db: Database
  readonly control: Database
  readonly cursors: Cursors
  readonly now: () => Date
}

const listed = auditActions.map((action) => `\`${action}\``).join(', ')

const query = z
  .object({
    actor: uuid.optional().meta({
      description:
        'Only entries of this user: those with the user as the actor, and those without an actor and with the user as the target, such as failed sign-ins',
    }),
    action: z.enum(auditActions).optional().meta({ description: 'Only entries of this action' }),
    from_time: timestamp.optional().meta({ description: 'Start of the window, included. Default: the oldest entry' }),
    to_time: timestamp.optional().meta({ description: 'End of the window, excluded. Default: now' }),
    limit: limitParam,
    cursor: cursorParam.optional(),
  })
  .superRefine(({ from_time: from, to_time: to }, ctx) => {
    if (from === undefined || to === undefined || from < to) return
    const message = 'from_time should be earlier than to_time'
    ctx.addIssue(pairFault('from_time', 'value_error', message, { error: message }))
  }, ifValid)

const lineOut = z
  .object({
    id: uuidOut,
    at: dateTimeOut,
    action: z.string().meta({ description: `${listed}; a later release may add others` }),
    actor_user_id: uuidOut.nullable().meta({
      description:
        'Null if the request was not authenticated. The id of a deleted user is kept, but no longer identifies a person',
    }),
    actor_email: z.string().nullable().meta({ description: 'Null if the user is deleted' }),
    workspace_id: uuidOut.nullable(),
    target: z.string().nullable().meta({ description: 'The id of the object that the action applied to' }),
    target_name: z.string().nullable().meta({
      description:
        'The name of that object now: the address of a person or an invite, the name of a workspace or a key, the tool of a rule. Null if it has none or no longer exists',
    }),
    request_id: z.string().nullable(),
    ip_prefix: z
      .string()
      .nullable()
      .meta({ description: 'The source address of the request, truncated to /24 (IPv4) or /48 (IPv6)' }),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
  })
  .meta({ id: 'AuditLine' })

const pageOut = z.object({ items: z.array(lineOut), next_cursor: z.string().nullable() }).meta({ id: 'AuditPage' })

const showLine = (row: AuditRow): z.input<typeof lineOut> => ({
  id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  actor_user_id: row.actor_user_id,
  actor_email: row.actor_email,
  workspace_id: row.workspace_id,
  target: row.target,
  target_name: row.target_name,
  request_id: row.request_id,
  ip_prefix: row.ip_prefix,
  detail: row.detail,
})

const showPage = ({ rows, nextCursor }: AuditPage) => ({ items: rows.map(showLine), next_cursor: nextCursor })

const common =
  'Requires the role admin or above. Newest first; a cursor fixes the window and the filters. Entries are kept for 400 days and are never changed. They contain no content, passwords, tokens or key texts.'

export function makeAuditRoutes(deps: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/orgs/{org_id}/audit',
      tag: 'Organizations',
      summary: 'List the audit log of an organization',
      description: `${common} The log contains the entries of all workspaces of the organization, including deleted ones, and the account actions of people while they were members: sign-ins, failed sign-ins, sign-outs, password changes, password resets, and deletion of the account. These entries remain when the member leaves, is removed or deletes the account.`,
      auth: 'session',
      params: orgParams,
      query,
      status: 200,
      response: pageOut,
      refusals: auditRefusals,
      handle: async ({ who, params, query: given }) => {
        const callerRole = await readOrgRole(deps.control, who, params.org_id, 'admin')
        if (!callerRole.ok) return callerRole
        const found = await listAudit(deps, { kind: 'org', id: params.org_id }, given)
        return found.ok ? ok(showPage(found.value)) : found
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspace_id}/audit',
      tag: 'Workspaces and keys',
      summary: 'List the audit log of a workspace',
      description: common,
      auth: 'session',
      role: 'admin',
      params: workspaceParams,
      query,
      status: 200,
      response: pageOut,
      refusals: { cursor_invalid: auditRefusals.cursor_invalid },
      handle: async ({ params, query: given }) => {
        const found = await listAudit(deps, { kind: 'workspace', id: params.workspace_id }, given)
        return found.ok ? ok(showPage(found.value)) : found
      },
    }),
  ]
}
