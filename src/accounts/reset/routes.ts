// HTTP: forgotten passwords: the request by mail, the link by an owner, and the new password.
import { ok } from '../../base/outcome.ts'
import { type Route, route } from '../../web/route.ts'
import { confirmRefusals, linkRefusals, resetRefusals } from '../codes.ts'
import { confirmBody, memberParams, resetBody, resetLinkOut } from '../shapes.ts'
import { type ConfirmDeps, confirmReset } from './confirm.ts'
import { makeResetLink } from './link.ts'
import { resetPage } from './page.ts'
import { type RequestDeps, requestReset } from './request.ts'

export function makeResetRoutes(deps: RequestDeps & ConfirmDeps): Route[] {
  return [
    resetPage,
    route({
      method: 'POST',
      path: '/v1/auth/reset',
      tag: 'Auth and sessions',
      summary: 'Request a password reset',
      description:
        'The response is 202 whether or not the address has an account. If it has one and the service has a mail server (`mailer` of GET /v1/meta), the service mails a link to the address, at most 3 an hour. The link is valid for one hour and works once. Rate limits apply by IP address: 429 with Retry-After.',
      auth: 'none',
      body: resetBody,
      status: 202,
      refusals: resetRefusals,
      handle: async ({ body, request }) => {
        await requestReset(deps, { email: body.email, from: request })
        return ok(undefined)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/auth/reset/confirm',
      tag: 'Auth and sessions',
      summary: 'Choose a new password with a reset token',
      description:
        'The token is the part of the link after `#token=`. Ends all sessions of the user and makes all their reset tokens invalid. The user then signs in with the new password. A rate limit applies by IP address: 429 with Retry-After.',
      auth: 'none',
      body: confirmBody,
      status: 204,
      refusals: confirmRefusals,
      handle: async ({ body, request }) => await confirmReset(deps, { ...body, from: request }),
    }),
    route({
      method: 'POST',
      path: '/v1/orgs/{org_id}/members/{user_id}/reset-link',
      tag: 'Organizations',
      summary: 'Create a reset link for a member',
      description:
        'Requires the role owner. Anyone who has the link can sign in as the member. Therefore the response is 409 if the member also belongs to an organization that the caller does not own; the service checks this again when the link is used. Only this response contains the link. It is valid for one hour, works once, and replaces earlier links.',
      auth: 'session',
      params: memberParams,
      status: 201,
      response: resetLinkOut,
      refusals: linkRefusals,
      handle: async ({ who, params, request }) => {
        const outcome = await makeResetLink(deps, { who, orgId: params.org_id, userId: params.user_id, from: request })
        if (!outcome.ok) return outcome
        const { url, token, expiresAt } = outcome.value
        return ok({ url, token, expires_at: expiresAt.toISOString() })
      },
    }),
  ]
}
