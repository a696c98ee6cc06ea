// HTTP: names of orgs, roles of members, and open invites.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import { type Route, roles, route } from '../web/route.ts'
import { dateTimeOut, limitParam, offsetParam, trimmedText, uuid, uuidOut } from '../web/shapes.ts'
import { orgRoleRefusals, roleRefusals } from './codes.ts'
import { changeRole } from './member/change-role.ts'
import { deleteInvite, listInvites } from './member/open-invites.ts'
import type { OrgDeps } from './org-routes.ts'
import { renameOrg } from './rename-org.ts'
import { memberOut, memberParams, orgOut, orgParams, showMember, showOrg } from './shapes.ts'

const tag = 'Organizations'

const openInviteOut = z
  .object({
    id: uuidOut,
    email: z.string(),
    role: z.enum(roles),
    invited_by: uuidOut,
    created_at: dateTimeOut,
    expires_at: dateTimeOut,
  })
  .meta({ id: 'OpenInvite' })

export function makeOrgChangeRoutes(deps: OrgDeps): Route[] {
  const { db } = deps
  return [
    route({
      method: 'PATCH',
      path: '/v1/orgs/{org_id}',
      tag,
      summary: 'Rename an organization',
      description: 'Requires the role admin or above.',
      auth: 'session',
      params: orgParams,
      body: z.object({ name: trimmedText(1, 100) }),
      status: 200,
      response: orgOut,
      refusals: orgRoleRefusals,
      handle: async ({ who, params, body, request }) => {
        const outcome = await renameOrg(db, { who, orgId: params.org_id, name: body.name, from: request })
        return outcome.ok ? ok(showOrg(outcome.value)) : outcome
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/orgs/{org_id}/members/{user_id}',
      tag,
      summary: 'Change the role of a member',
      description:
        'Requires the role admin or above. Only an owner can grant the role owner or change the role of an owner. The role of the last owner cannot change. Open invites to a role that the member can no longer grant are withdrawn.',
      auth: 'session',
      params: memberParams,
      body: z.object({ role: z.enum(roles) }),
      status: 200,
      response: memberOut,
      refusals: roleRefusals,
      handle: async ({ who, params, body, request }) => {
        const { org_id: orgId, user_id: userId } = params
        const outcome = await changeRole(deps, { who, orgId, userId, role: body.role, from: request })
        return outcome.ok ? ok(showMember(outcome.value)) : outcome
      },
    }),
    route({
      method: 'GET',
      path: '/v1/orgs/{org_id}/invites',
      tag,
      summary: 'List the open invites of an organization',
      description: 'Requires the role admin or above. Newest first; accepted and expired invites are not listed.',
      auth: 'session',
      params: orgParams,
      query: z.object({ limit: limitParam, offset: offsetParam }),
      status: 200,
      response: z.array(openInviteOut),
      refusals: orgRoleRefusals,
      handle: async ({ who, params, query }) => {
        const outcome = await listInvites(db, { who, orgId: params.org_id, ...query })
        if (!outcome.ok) return outcome
        return ok(
          outcome.value.map(({ invitedBy, createdAt, expiresAt, ...rest }) => ({
            ...rest,
            invited_by: invitedBy,
            created_at: createdAt.toISOString(),
            expires_at: expiresAt.toISOString(),
          })),
        )
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/orgs/{org_id}/invites/{invite_id}',
      tag,
      summary: 'Withdraw an open invite',
      description:
        'Requires the role admin or above; only an owner can withdraw an invite to the role owner. Its token stops working at once.',
      auth: 'session',
      params: orgParams.extend({ invite_id: uuid }),
      status: 204,
      refusals: orgRoleRefusals,
      handle: async ({ who, params, request }) =>
        await deleteInvite(db, { who, orgId: params.org_id, inviteId: params.invite_id, from: request }),
    }),
  ]
}
