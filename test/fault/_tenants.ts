// Sending workspaces, and what each of them remembers: the spans for which a 200 was received, and all sent spans.
import { signUp } from '../_kit/sign-up.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { postOnce } from '../ingest/_http.ts'

export type Tenant = {
  readonly workspaceId: string
  readonly key: string
  readonly sent: Set<string>
  readonly acknowledged: Set<string>
  /** Unacknowledged batches, to be sent again. */
  readonly left: Batch[]
}

export type Batch = { readonly body: Buffer; readonly spanIds: readonly string[] }

export type Tenants = { readonly tenants: readonly Tenant[]; readonly accessToken: string }

const spansInBatch = 20
const agents = 5

/** Workspaces of one new user, with the user's token. */
export async function openTenants(baseUrl: string, howMany: number): Promise<Tenants> {
  const first = await signUp(baseUrl)
  const create = async <T>(path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${first.accessToken}`, 'content-type': 'application/json' }
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const tenants = [makeTenant(first.workspaceId, first.key)]
  while (tenants.length < howMany) {
    const { id } = await create<{ id: string }>('/v1/workspaces', { name: `workspace ${tenants.length}` })
    const { api_key: key } = await create<{ api_key: string }>('/v1/keys', { workspace_id: id, name: 'load' })
    tenants.push(makeTenant(id, key))
  }
  return { tenants, accessToken: first.accessToken }
}

const makeTenant = (workspaceId: string, key: string): Tenant => ({
  workspaceId,
  key,
  sent: new Set(),
  acknowledged: new Set(),
  left: [],
})

/** Returns a new batch. */
export function makeNew(tenant: Tenant): Batch {
  const spans = makeTraceSpans(spansInBatch, (at) => ({ attributes: { 'gen_ai.agent.name': `agent-${at % agents}` } }))
  const spanIds = spans.map(({ spanId }) => Buffer.from(spanId).toString('hex'))
  for (const id of spanIds) tenant.sent.add(id)
  return { body: encodeRequest(spans), spanIds }
}

// Only a service that hangs takes this long.
const hangMs = 60_000
const againMs = 20

/** Sends the batch repeatedly until a 200 is received. */
export async function sendUntilTaken(baseUrl: string, tenant: Tenant, batch: Batch): Promise<void> {
  const untilMs = performance.now() + hangMs
  for (;;) {
    const reply = await postOnce({ baseUrl, key: tenant.key }, batch.body).catch(() => null)
    if (reply?.status === 200 && reply.rejected === 0) break
    if (performance.now() > untilMs) throw new Error(`a batch was not taken: ${reply?.status} ${reply?.message}`)
    await new Promise((done) => setTimeout(done, againMs))
  }
  for (const id of batch.spanIds) tenant.acknowledged.add(id)
}
