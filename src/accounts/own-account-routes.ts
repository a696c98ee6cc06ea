// HTTP: changes to the caller's own account: profile, password, sessions.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import { type Route, route } from '../web/route.ts'
import { changeProfile } from './change-profile.ts'
import { endSessionRefusals, passwordRefusals, signedOutRefusals } from './codes.ts'
import { changePassword } from './password/change.ts'
import type { AuthDeps } from './routes.ts'
import { endOtherSessions, endSession } from './session/end.ts'
import { listSessions } from './session/list.ts'
import { meOut, passwordBody, profileBody, sessionOut, sessionParams, showOrg, showUser } from './shapes.ts'

const tag = 'Auth and sessions'
const ended =
  'Access tokens of an ended session are refused at once by the front that answers, normally within a second by the others, after 5 s at worst.'

export function makeOwnAccountRoutes(deps: AuthDeps): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/v1/auth/me',
      tag,
      summary: 'Change your name or time zone',
      description: 'Omitted fields keep their values; null removes a value.',
      auth: 'session',
      body: profileBody,
      status: 200,
      response: meOut,
      refusals: signedOutRefusals,
      handle: async ({ who, body, request }) => {
        const { name, time_zone: timeZone } = body
        const outcome = await changeProfile(deps.db, { who, name, timeZone, from: request })
        return outcome.ok ? ok({ user: showUser(outcome.value.user), orgs: outcome.value.orgs.map(showOrg) }) : outcome
      },
    }),
    route({
      method: 'POST',
      path: '/v1/auth/password',
      tag,
      summary: 'Change your password',
      description: `Ends all other sessions of the user and keeps this one. Open reset links become invalid. ${ended} Rate limits apply by session, by user and by IP address: 429 with Retry-After.`,
      auth: 'session',
      body: passwordBody,
      status: 204,
      endsSessions: true,
      refusals: passwordRefusals,
      handle: async ({ who, body, request }) =>
        await changePassword(deps, { who, current: body.current_password, next: body.new_password, from: request }),
    }),
    route({
      method: 'GET',
      path: '/v1/auth/sessions',
      tag,
      summary: 'List your sessions',
      description:
        'Most recently used first, at most 20. `last_used_at` is the sign-in or the last refresh; a client in use refreshes every 10 minutes. `ip_prefix` is the first 24 bits of the IPv4 address or 48 bits of the IPv6 address at that time, or null if the address is unknown. The service does not store complete addresses.',
      auth: 'session',
      status: 200,
      response: z.array(sessionOut),
      handle: async ({ who }) => {
        const sessions = await listSessions(deps.db, who, deps.now())
        return ok(
          sessions.map((session) => ({
            id: session.id,
            created_at: session.createdAt.toISOString(),
            last_used_at: session.lastUsedAt.toISOString(),
            user_agent: session.userAgent,
            ip_prefix: session.ipPrefix,
            current: session.isCurrent,
          })),
        )
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/auth/sessions',
      tag,
      summary: 'End all your other sessions',
      description: `The session of the request continues. ${ended}`,
      auth: 'session',
      status: 204,
      endsSessions: true,
      refusals: signedOutRefusals,
      handle: async ({ who, request }) => await endOtherSessions(deps, { who, from: request }),
    }),
    route({
      method: 'DELETE',
      path: '/v1/auth/sessions/{session_id}',
      tag,
      summary: 'End one of your sessions',
      description: `Idempotent. The session can be that of the request. ${ended}`,
      auth: 'session',
      params: sessionParams,
      status: 204,
      endsSessions: true,
      refusals: endSessionRefusals,
      handle: async ({ who, params, request }) =>
        await endSession(deps, { who, sessionId: params.session_id, from: request }),
    }),
  ]
}
