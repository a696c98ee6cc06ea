// One row for each route: a correct call of it, and the ids in it that belong to a tenant. A route without a row fails the contract test.
import { randomBytes } from 'node:crypto'
import { encodeRequest, makeSpan } from '../_kit/spans.ts'
import type { Ids, World } from './_world.ts'

export type Call = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Bytes and their type, if the route is not JSON. */
  readonly raw?: { readonly bytes: Uint8Array; readonly type: string }
}

export type Row = {
  /** The status with the right credential. */
  readonly status: number
  /** The call, with the ids that it names; by default those of the path. */
  readonly call?: (ids: Ids, world: World) => Call
  /** Makes things that the call uses up, so that the tenant's own ones are kept. */
  readonly prepare?: (world: World) => Promise<Partial<Ids>>
  /** The call is repeated until it gets that status: the requested result may be available only later. */
  readonly mayBeLate?: true
  /** The right credential, if it is not that of the tenant. */
  readonly token?: (world: World) => string
  /** Statuses that a foreign id may get beside 404; the row states the reason of each. */
  readonly foreign?: number
}

const password = 'correct-horse-battery'
const randomEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`

async function create<T>(world: World, path: string, body: object): Promise<T> {
  return (await world.service.call('POST', path, { body })).json as T
}

/** A proposal for a subject without a decision. */
const propose = () => ({ type: 'suppress_dead', tool_name: `tool ${randomBytes(6).toString('hex')}` })

/** Makes another session of the tenant's user, which a call may end. */
async function signInAgain({ service }: World): Promise<Partial<Ids>> {
  const body = { email: service.email, password: service.password }
  const signedIn = await service.call('POST', '/v1/auth/login', { body, token: null })
  const { access_token: token } = signedIn.json as { access_token: string }
  const sessions = (await service.call('GET', '/v1/auth/sessions', { token })).json as {
    id: string
    current: boolean
  }[]
  return { session_id: sessions.find(({ current }) => current)?.id ?? '' }
}

/** Adds a member who has no other org. */
async function addMember(world: World): Promise<string> {
  const email = randomEmail()
  const invite = await create<{ token: string }>(world, `/v1/orgs/${world.own.org_id}/invites`, {
    email,
    role: 'member',
  })
  const body = { email, password, invite_token: invite.token }
  return (await create<{ user: { id: string } }>(world, '/v1/auth/signup', body)).user.id
}

const plain: Row = { status: 200 }
const period = { status: 200, call: () => ({ query: { period: new Date().toISOString().slice(0, 7) } }) } satisfies Row

export const rows: Readonly<Record<string, Row>> = {
  'GET /v1/health/live': plain,
  'GET /v1/health/ready': plain,
  'GET /healthz': plain,
  'GET /readyz': plain,
  'GET /openapi.json': plain,
  'GET /v1/meta': plain,
  'GET /v1/auth/jwks': plain,
  'GET /.well-known/jwks.json': plain,
  'POST /v1/auth/signup': { status: 201, call: () => ({ body: { email: randomEmail(), password } }) },
  'POST /v1/auth/login': {
    status: 200,
    call: (_ids, { service }) => ({ body: { email: service.email, password: service.password } }),
  },
  'POST /v1/auth/refresh': {
    status: 200,
    call: (_ids, { stranger }) => ({ body: { refresh_token: stranger.refreshToken } }),
  },
  'POST /v1/auth/logout': { status: 204, call: () => ({ body: { refresh_token: 'unknown' } }) },
  'GET /v1/auth/me': plain,
  // The user of the world is kept: the refusal is tested here, and the rest in test/accounts/delete-account.test.ts.
  'DELETE /v1/auth/me': { status: 403, call: () => ({ body: { current_password: 'not the password' } }) },
  'PATCH /v1/orgs/{org_id}': { status: 200, call: () => ({ body: { name: 'Renamed' } }) },
  'PATCH /v1/orgs/{org_id}/members/{user_id}': { status: 200, call: () => ({ body: { role: 'owner' } }) },
  'GET /v1/orgs/{org_id}/invites': plain,
  'DELETE /v1/orgs/{org_id}/invites/{invite_id}': {
    status: 204,
    prepare: async (world) => {
      const body = { email: randomEmail(), role: 'viewer' }
      return { invite_id: (await create<{ id: string }>(world, `/v1/orgs/${world.own.org_id}/invites`, body)).id }
    },
  },
  'GET /v1/orgs/{org_id}/audit': plain,
  'PATCH /v1/auth/me': { status: 200, call: () => ({ body: { name: 'Ada', time_zone: 'Europe/Berlin' } }) },
  // Each of these ends sessions, but the following tests need this one; the new password is the same.
  'POST /v1/auth/password': {
    status: 204,
    call: (_ids, { service }) => ({
      body: { current_password: service.password, new_password: service.password },
    }),
  },
  'GET /v1/auth/sessions': plain,
  'DELETE /v1/auth/sessions': { status: 204 },
  'DELETE /v1/auth/sessions/{session_id}': { status: 204, prepare: async (world) => await signInAgain(world) },
  'GET /reset': plain,
  'POST /v1/auth/reset': { status: 202, call: () => ({ body: { email: randomEmail() } }) },
  'POST /v1/auth/reset/confirm': {
    status: 404,
    call: () => ({ body: { token: 'a token that nobody was given', password } }),
  },
  'POST /v1/orgs/{org_id}/invites': { status: 201, call: () => ({ body: { email: randomEmail(), role: 'viewer' } }) },
  'POST /v1/invites/lookup': {
    status: 404,
    call: () => ({ body: { token: 'a token that nobody was given' } }),
  },
  'POST /v1/invites/accept': {
    status: 404,
    call: () => ({ body: { token: 'a token that nobody was given' } }),
  },
  'GET /v1/orgs/{org_id}/members': plain,
  // The last owner cannot leave.
  'DELETE /v1/orgs/{org_id}/members/{user_id}': { status: 409 },
  'POST /v1/orgs/{org_id}/members/{user_id}/reset-link': {
    status: 201,
    prepare: async (world) => ({ user_id: await addMember(world) }),
  },
  'GET /v1/workspaces': plain,
  'POST /v1/workspaces': { status: 201, call: (ids) => ({ body: { name: 'another', org_id: ids.org_id } }) },
  'DELETE /v1/workspaces/{workspace_id}': {
    status: 204,
    prepare: async (world) => ({
      workspace_id: (await create<{ id: string }>(world, '/v1/workspaces', { name: 'short-lived' })).id,
    }),
  },
  'GET /v1/workspaces/{workspace_id}/settings': plain,
  'PATCH /v1/workspaces/{workspace_id}/settings': {
    status: 200,
    call: () => ({ body: { default_freshness_s: 3_600 } }),
  },
  'GET /v1/workspaces/{workspace_id}/prices': plain,
  'PUT /v1/workspaces/{workspace_id}/prices': {
    status: 200,
    call: () => ({ body: [{ model: 'my-llama-*', input_usd_per_m: 0.2, output_usd_per_m: 0.8 }] }),
  },
  'DELETE /v1/workspaces/{workspace_id}/prices': { status: 204 },
  'GET /v1/workspace/me': plain,
  'POST /v1/keys': { status: 201, call: (ids) => ({ body: { workspace_id: ids.workspace_id, name: 'one more' } }) },
  'GET /v1/keys': { status: 200, call: (ids) => ({ query: { workspace_id: ids.workspace_id } }) },
  'DELETE /v1/keys/{key_id}': {
    status: 204,
    prepare: async (world) => {
      const body = { workspace_id: world.own.workspace_id, name: 'short-lived' }
      return { key_id: (await create<{ id: string }>(world, '/v1/keys', body)).id }
    },
  },
  'POST /v1/otlp/v1/traces': {
    status: 200,
    call: () => ({ raw: { bytes: encodeRequest([makeSpan()]), type: 'application/x-protobuf' } }),
  },
  'GET /v1/apply/rules': plain,
  'GET /v1/apply/tool-result': {
    status: 200,
    call: (ids) => ({ query: { decision_id: ids.decision_id, input_hash: 'hash' } }),
    // On a busy machine a look-up takes longer than a caller waits, and the answer is then that there is no result.
    mayBeLate: true,
  },
  'POST /v1/apply/invalidate': { status: 204, call: () => ({ body: { tool_name: 'fetch' } }) },
  'GET /v1/workspaces/{workspace_id}/agents': plain,
  'GET /v1/workspaces/{workspace_id}/agents/{agent_id}': plain,
  'GET /v1/workspaces/{workspace_id}/stats/summary': plain,
  'GET /v1/workspaces/{workspace_id}/stats/savings': plain,
  'GET /v1/workspaces/{workspace_id}/stats/instrumentations': plain,
  'GET /v1/workspaces/{workspace_id}/stats/timeseries': {
    status: 200,
    call: () => ({ query: { interval: '1h', group_by: 'model' } }),
  },
  'GET /v1/workspaces/{workspace_id}/stats/breakdown': { status: 200, call: () => ({ query: { group_by: 'agent' } }) },
  'GET /v1/workspaces/{workspace_id}/traces': plain,
  'GET /v1/workspaces/{workspace_id}/traces/{trace_id}': plain,
  'GET /v1/workspaces/{workspace_id}/events': plain,
  'GET /v1/workspaces/{workspace_id}/events/tail': plain,
  'GET /v1/workspaces/{workspace_id}/events/{event_id}': plain,
  'GET /v1/workspaces/{workspace_id}/export': plain,
  'GET /v1/workspaces/{workspace_id}/lookup': { status: 200, call: (ids) => ({ query: { id: ids.trace_id } }) },
  'GET /v1/workspaces/{workspace_id}/audit': plain,
  'GET /v1/workspaces/{workspace_id}/usage': period,
  'GET /v1/workspaces/{workspace_id}/usage/timeseries': period,
  'GET /v1/workspaces/{workspace_id}/usage/rejections': period,
  'GET /v1/workspaces/{workspace_id}/decisions': plain,
  'POST /v1/workspaces/{workspace_id}/decisions': { status: 201, call: () => ({ body: propose() }) },
  'GET /v1/workspaces/{workspace_id}/decisions/summary': plain,
  'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}': plain,
  'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions': plain,
  'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}/measurements': plain,
  'GET /v1/workspaces/{workspace_id}/decisions/{decision_id}/trials': plain,
  'POST /v1/workspaces/{workspace_id}/decisions/{decision_id}/transitions': {
    status: 200,
    call: () => ({ body: { to: 'shadow', reason: 'it repeats', expected_state: 'proposed' } }),
    prepare: async (world) => {
      const path = `/v1/workspaces/${world.own.workspace_id}/decisions`
      return { decision_id: (await create<{ id: string }>(world, path, propose())).id }
    },
  },
  'GET /v1/workspaces/{workspace_id}/findings': plain,
  'GET /v1/workspaces/{workspace_id}/findings/summary': plain,
  'GET /v1/workspaces/{workspace_id}/findings/{finding_id}': plain,
  'PATCH /v1/workspaces/{workspace_id}/findings/{finding_id}': {
    status: 200,
    call: () => ({ body: { status: 'acknowledged' } }),
  },
}
