// Two unrelated tenants, each with everything that a path can name.
import { randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { post } from '../ingest/_http.ts'

/** The ids in paths, queries and bodies. */
export type Ids = {
  readonly workspace_id: string
  readonly org_id: string
  readonly user_id: string
  readonly invite_id: string
  readonly session_id: string
  readonly key_id: string
  readonly agent_id: string
  readonly trace_id: string
  readonly event_id: string
  readonly decision_id: string
  readonly finding_id: string
}

export type World = {
  readonly service: TestService
  readonly own: Ids
  /** Another user, with a separate workspace. */
  readonly stranger: Tenant
  /** Returns well-formed ids that do not exist. */
  randomIds(): Ids
}

export async function makeWorld(): Promise<World> {
  const service = await startService()
  const stranger = await service.signUp()
  await post(
    service,
    encodeRequest(
      makeTraceSpans(5, { attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' } }),
    ),
  )
  await post({ baseUrl: service.baseUrl, key: stranger.key }, encodeRequest(makeTraceSpans(5)))
  await service.settled()
  return { service, own: await readIds(service), stranger, randomIds }
}

const randomIds = (): Ids => {
  const traceId = randomBytes(16).toString('hex')
  return {
    workspace_id: makeUuidV7(),
    org_id: makeUuidV7(),
    user_id: makeUuidV7(),
    invite_id: makeUuidV7(),
    session_id: makeUuidV7(),
    key_id: makeUuidV7(),
    agent_id: makeUuidV7(),
    trace_id: traceId,
    event_id: `${traceId}.${randomBytes(8).toString('hex')}`,
    decision_id: makeUuidV7(),
    finding_id: makeUuidV7(),
  }
}

async function readIds(service: TestService): Promise<Ids> {
  const { workspaceId, orgId } = service
  const get = async <T>(path: string): Promise<T> => (await service.call('GET', path)).json as T
  const agents = await get<{ id: string }[]>(`/v1/workspaces/${workspaceId}/agents`)
  const events = await get<{ items: { id: string; trace_id: string }[] }>(`/v1/workspaces/${workspaceId}/events`)
  const keys = await get<{ id: string }[]>(`/v1/keys?workspace_id=${workspaceId}`)
  const { user } = await get<{ user: { id: string } }>('/v1/auth/me')
  const invite = (
    await service.call('POST', `/v1/orgs/${orgId}/invites`, { body: { email: 'invited@example.com', role: 'viewer' } })
  ).json as { id: string }
  const sessions = await get<{ id: string }[]>('/v1/auth/sessions')
  const decisionId = makeUuidV7()
  const findingId = makeUuidV7()
  await insertDecision(service, decisionId)
  await insertResult(service)
  await insertFinding(service, findingId)
  return {
    workspace_id: workspaceId,
    org_id: orgId,
    user_id: user.id,
    invite_id: invite.id,
    session_id: sessions[0]?.id ?? '',
    key_id: keys[0]?.id ?? '',
    agent_id: agents[0]?.id ?? '',
    trace_id: events.items[0]?.trace_id ?? '',
    event_id: events.items[0]?.id ?? '',
    decision_id: decisionId,
    finding_id: findingId,
  }
}

async function insertDecision({ query, workspaceId }: TestService, id: string): Promise<void> {
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, input_hash, inputs, proven, config, activated_at, proposed_at)
     values ($1, $2, 'reuse_identity', 'active', 'search', 'hash', array['hash'], true, $3, now(), now())`,
    [id, workspaceId, { tool_name: 'search', freshness_s: 3_600, holdout_rate: 0.05 }],
  )
}

/** Inserts a result that the decision can serve. */
async function insertResult({ query, workspaceId }: TestService): Promise<void> {
  const start = new Date(Date.now() - 60_000).toISOString()
  const seed = {
    start,
    trace: hexId(7, 32),
    span: hexId(7, 16),
    kind: 'tool',
    tool: 'search',
    inputHash: 'hash',
  } as const
  await storeEvents(query, workspaceId, [{ ...seed, attested: true, contentHash: 'content', keyId: 'key' }])
}

async function insertFinding({ query, workspaceId }: TestService, id: string): Promise<void> {
  await query(
    `insert into findings (id, workspace_id, type, subject, severity, status, title, detail, occurrences, evidence, first_seen, last_seen)
     values ($1, $2, 'repeated_tool_call', 'search', 'warning', 'open', 'Repeated calls', 'The same input 12 times', 12, '{}', now(), now())`,
    [id, workspaceId],
  )
}
