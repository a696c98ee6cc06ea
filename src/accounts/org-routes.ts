// HTTP: invites to orgs, and their members.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { limitParam, offsetParam } from '../web/shapes.ts'
import { acceptRefusals, inviteRefusals, lookupRefusals, orgRoleRefusals, removeRefusals } from './codes.ts'
import { acceptInvite } from './member/accept.ts'
import { invite } from './member/invite.ts'
import { listMembers } from './member/list.ts'
import { readInvite } from './member/read-invite.ts'
import { removeMember } from './member/remove.ts'
import {
  inviteBody,
  inviteOut,
  inviteTokenBody,
  inviteViewOut,
  memberOut,
  memberParams,
  orgOut,
  orgParams,
  showMember,
  showOrg,
} from './shapes.ts'
import type { Throttle } from './throttle.ts'

export type OrgDeps = {
  readonly db: Database
  readonly throttle: Pick<Throttle, 'token'>
  readonly now: () => Date
  readonly onMembershipChange: (userId: string) => void
}

const tag = 'Organizations'

export function makeOrgRoutes(deps: OrgDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/orgs/{org_id}/invites',
      tag,
      summary: 'Invite an e-mail address to an organization',
      description:
        'Requires the role admin or above; only an owner can invite an owner. A new invite replaces an open invite to the same address; only an owner can replace an invite to the role owner. The service sends no e-mail. Only this response contains the token, so pass it on to the invited person. The token is valid for 7 days and for this address only.',
      auth: 'session',
      params: orgParams,
      body: inviteBody,
      status: 201,
      response: inviteOut,
      refusals: inviteRefusals,
      handle: async ({ who, params, body, request }) => {
        const outcome = await invite(deps, { who, orgId: params.org_id, ...body, from: request })
        if (!outcome.ok) return outcome
        const { expiresAt, ...rest } = outcome.value
        return ok({ ...rest, expires_at: expiresAt.toISOString() })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/invites/accept',
      tag,
      summary: 'Accept an invite to an organization',
      auth: 'session',
      body: inviteTokenBody,
      status: 200,
      response: z.object({ org: orgOut }),
      refusals: acceptRefusals,
      handle: async ({ who, body, request }) => {
        const outcome = await acceptInvite(deps, { who, token: body.token, from: request })
        return outcome.ok ? ok({ org: showOrg(outcome.value) }) : outcome
      },
    }),
    route({
      method: 'POST',
      path: '/v1/invites/lookup',
      tag,
      summary: 'Look up an invite by its token',
      description:
        'Says what the holder of the token is invited to, but not the address that the invite is for. The response is 404 if the invite is unknown, used, replaced, withdrawn or expired.',
      auth: 'none',
      body: inviteTokenBody,
      status: 200,
      response: inviteViewOut,
      refusals: lookupRefusals,
      handle: async ({ body, request }) => {
        await deps.throttle.token(request.ip)
        const outcome = await readInvite(deps, body.token)
        return outcome.ok ? ok({ ...outcome.value, expires_at: outcome.value.expires_at.toISOString() }) : outcome
      },
    }),
    route({
      method: 'GET',
      path: '/v1/orgs/{org_id}/members',
      tag,
      summary: 'List the members of an organization',
      auth: 'session',
      params: orgParams,
      query: z.object({ limit: limitParam, offset: offsetParam }),
      status: 200,
      response: z.array(memberOut),
      refusals: orgRoleRefusals,
      handle: async ({ who, params, query }) => {
        const outcome = await listMembers(deps.db, { who, orgId: params.org_id, ...query })
        return outcome.ok ? ok(outcome.value.map(showMember)) : outcome
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/orgs/{org_id}/members/{user_id}',
      tag,
      summary: 'Remove a member from an organization, or leave it',
      description:
        'Every member can leave. Removing others requires the role admin or above; only an owner can remove an owner. The last owner cannot leave. An organization without other members is deleted with the account of its only member (DELETE /v1/auth/me).',
      auth: 'session',
      params: memberParams,
      status: 204,
      refusals: removeRefusals,
      handle: async ({ who, params, request }) =>
        await removeMember(deps, { who, orgId: params.org_id, userId: params.user_id, from: request }),
    }),
  ]
}
