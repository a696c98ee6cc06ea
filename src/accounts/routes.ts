// HTTP: /v1/auth: signup, login, refresh, logout, me.

import { ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { loginRefusals, logoutRefusals, refreshRefusals, signedOutRefusals, signupRefusals } from './codes.ts'
import type { DeviceTokens } from './device-token.ts'
import { login } from './login.ts'
import { readMe } from './me.ts'
import type { PasswordHasher } from './password/hash.ts'
import type { HashCosts } from './password/hash-costs.ts'
import { chooseCarrier } from './session/carrier.ts'
import { logout } from './session/logout.ts'
import { refresh } from './session/refresh.ts'
import type { SessionDeps } from './session/start.ts'
import {
  loginBody,
  loginOut,
  meOut,
  refreshBody,
  sessionHeaders,
  showOrg,
  showUser,
  signupBody,
  signupOut,
  tokenPairOut,
} from './shapes.ts'
import { type InsertWorkspace, signup } from './signup.ts'
import type { Throttle } from './throttle.ts'

export type AuthDeps = SessionDeps & {
  readonly db: Database
  readonly throttle: Throttle
  readonly hasher: PasswordHasher
  readonly hashCosts: Pick<HashCosts, 'ofUnknown'>
  readonly deviceTokens: DeviceTokens
  /** The URL at which browsers reach the service. */
  readonly publicUrl: string
  /** Whether people without an invite may sign up. */
  readonly signupOpen: boolean
  readonly insertWorkspace: InsertWorkspace
  /** Called after the commit: sessions of the user have ended. */
  readonly onSessionsEnded: (userId: string) => void
}

const tag = 'Auth and sessions'
const limited = 'Rate limits apply by IP address and by account: 429 with Retry-After.'

export function makeAuthRoutes(deps: AuthDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/auth/signup',
      tag,
      summary: 'Sign up',
      description: `Creates a user, an organization and a first workspace. With \`invite_token\`, the user joins the inviting organization instead. Addresses are not verified by mail, so the response is 409 if the address is already registered. It is 403 if this service admits only invited users. ${limited}`,
      auth: 'none',
      body: signupBody,
      status: 201,
      response: signupOut,
      refusals: signupRefusals,
      requestHeaders: sessionHeaders,
      handle: async ({ body, request, reply }) => {
        const carrier = chooseCarrier(deps.publicUrl, { request, reply }, { isSigningIn: true })
        if (!carrier.ok) return carrier
        const outcome = await signup(deps, {
          email: body.email,
          password: body.password,
          name: body.name ?? undefined,
          orgName: body.org_name ?? undefined,
          inviteToken: body.invite_token ?? undefined,
          from: request,
        })
        if (!outcome.ok) return outcome
        const { user, org, tokens, deviceToken } = outcome.value
        return ok({ user: showUser(user), org: showOrg(org), ...carrier.value.give(tokens), device_token: deviceToken })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/auth/login',
      tag,
      summary: 'Sign in',
      description: `The response contains a \`device_token\`. A client that stores it and sends it with the next login has a limit of its own, so that wrong passwords from other clients cannot lock its user out. The token is not a credential. It is valid for this user only, for 180 days or until the password changes. An invalid token is ignored. ${limited}`,
      auth: 'none',
      body: loginBody,
      status: 200,
      response: loginOut,
      refusals: loginRefusals,
      requestHeaders: sessionHeaders,
      handle: async ({ body, request, reply }) => {
        const carrier = chooseCarrier(deps.publicUrl, { request, reply }, { isSigningIn: true })
        if (!carrier.ok) return carrier
        const { email, password, device_token: deviceToken = null } = body
        const outcome = await login(deps, { email, password, deviceToken, from: request })
        if (!outcome.ok) return outcome
        const { user, tokens } = outcome.value
        return ok({ user: showUser(user), ...carrier.value.give(tokens), device_token: outcome.value.deviceToken })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/auth/refresh',
      tag,
      summary: 'Refresh the tokens',
      description:
        'Each use rotates the refresh token. If the previous token is sent again within 30 s, the response contains the same new refresh token; any other reuse ends the session. With the header `x-tracewright-session: cookie`, the token is sent and returned in a cookie, and the request needs no body. The Origin of the request must then be the service; otherwise the response is 403.',
      auth: 'none',
      body: refreshBody,
      status: 200,
      response: tokenPairOut,
      refusals: refreshRefusals,
      requestHeaders: sessionHeaders,
      handle: async ({ body, request, reply }) => {
        const carrier = chooseCarrier(deps.publicUrl, { request, reply }, { isSigningIn: false })
        if (!carrier.ok) return carrier
        const token = carrier.value.take(body)
        if (!token.ok) return token
        const outcome = await refresh(deps, { refreshToken: token.value, from: request })
        if (outcome.ok) return ok(carrier.value.give(outcome.value))
        carrier.value.drop()
        return outcome
      },
    }),
    route({
      method: 'POST',
      path: '/v1/auth/logout',
      tag,
      summary: 'End the session of a refresh token',
      description:
        'The access tokens of the session are refused at once by the front that answers, normally within a second by the others, after 5 s at worst. With the header `x-tracewright-session: cookie`, the request ends the session of the cookie and deletes the cookie, under the same conditions as a refresh.',
      auth: 'none',
      body: refreshBody,
      status: 204,
      refusals: logoutRefusals,
      requestHeaders: sessionHeaders,
      handle: async ({ body, request, reply }) => {
        const carrier = chooseCarrier(deps.publicUrl, { request, reply }, { isSigningIn: false })
        if (!carrier.ok) return carrier
        const token = carrier.value.take(body)
        if (!token.ok) return token
        await logout(deps, { refreshToken: token.value, from: request })
        carrier.value.drop()
        return ok(undefined)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/auth/me',
      tag,
      summary: 'Get the signed-in user and their organizations',
      auth: 'session',
      status: 200,
      response: meOut,
      refusals: signedOutRefusals,
      handle: async ({ who }) => {
        const outcome = await readMe(deps.db, who.userId)
        return outcome.ok ? ok({ user: showUser(outcome.value.user), orgs: outcome.value.orgs.map(showOrg) }) : outcome
      },
    }),
  ]
}
