// The prices of a workspace, from the request that sets them to the events that are stored afterwards.
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeSpan, randomTraceId } from '../_kit/spans.ts'
import { post } from './_http.ts'

let service: TestService
let own: Tenant
test.before(async () => {
  service = await startService()
  own = service
})
test.after.always(async () => await service.stop())

type Event = {
  readonly cost_usd: number | null
  readonly pricing_source: string | null
  readonly flags: string[]
}

const put = async (prices: object[], { workspaceId, accessToken }: Tenant = own): Promise<number> =>
  (await service.call('PUT', `/v1/workspaces/${workspaceId}/prices`, { token: accessToken, body: prices })).status

/** Sends one model call with a thousand input and a hundred output tokens, and reads it back. */
async function send(
  attributes: object = {},
  { key, workspaceId, accessToken }: Tenant = own,
  start = Date.now() - 1_000,
) {
  const traceId = randomTraceId()
  const span = makeSpan({
    traceId,
    start,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'my-llama-7b',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 100,
      ...attributes,
    },
  })
  const { status } = await post({ baseUrl: service.baseUrl, key }, encodeRequest([span]))
  if (status !== 200) throw new Error(`ingest answered ${status}`)
  const answer = await service.call('GET', `/v1/workspaces/${workspaceId}/traces/${traceId}`, { token: accessToken })
  const [event] = (answer.json as { spans: Event[] }).spans
  if (event === undefined) throw new Error(`the span is not there: ${answer.text}`)
  const [stored] = await service.query<{ source: string | null; savings: number | null }>(
    'select pricing_source as source, cache_savings_usd as savings from events where workspace_id = $1 and trace_id = $2',
    [workspaceId, Buffer.from(traceId, 'hex')],
  )
  const { cost_usd: cost, pricing_source: source, flags } = event
  return { cost, source, flags, stored: stored?.source ?? null, savings: stored?.savings ?? null }
}

const llama = { model: 'my-llama-*', input_usd_per_m: 2, output_usd_per_m: 10 }
const unpriced = { cost: null, source: null, flags: ['unpriced'], stored: null, savings: null }

test.serial(
  'a model is unpriced, priced once its workspace has a price for it, and unpriced again afterwards',
  async (t) => {
    t.deepEqual(await send(), unpriced)
    t.is(await put([llama]), 200)
    const priced = await send()
    t.like(priced, { cost: 0.003, source: 'workspace', flags: [], savings: null })
    t.regex(priced.stored ?? '', /^workspace:[\w-]{8}:\*\/my-llama-\*$/)
    t.is(await put([{ ...llama, input_usd_per_m: 4 }]), 200)
    t.like(await send(), { cost: 0.005, source: 'workspace' })
    const path = `/v1/workspaces/${own.workspaceId}/prices`
    t.is((await service.call('DELETE', path)).status, 204)
    t.deepEqual(await send(), unpriced)
  },
)

test.serial('two workspaces that send alternately never share prices', async (t) => {
  const [other, third] = [await service.addWorkspace(), await service.addWorkspace()]
  t.is(await put([llama]), 200)
  t.is(await put([{ ...llama, input_usd_per_m: 7, output_usd_per_m: 0 }], other), 200)
  for (let round = 0; round < 5; round += 1) {
    t.is((await send()).cost, 0.003)
    t.is((await send({}, other)).cost, 0.007)
    t.deepEqual(await send({}, third), unpriced)
  }
})

test.serial(
  'a workspace has its own price for a model of the table, and what the sender states is compared with it',
  async (t) => {
    const gpt = { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-4o' }
    t.is(await put([{ model: 'gpt-4o', provider: 'openai', input_usd_per_m: 1, output_usd_per_m: 0 }]), 200)
    t.like(await send(gpt), { cost: 0.001, source: 'workspace' })
    t.like(await send({ ...gpt, 'gen_ai.usage.cost': 0.00104 }), { cost: 0.001, flags: ['cost_provided'] })
    // The price list gives 0.0035.
    t.like(await send({ ...gpt, 'gen_ai.usage.cost': 0.0035 }), {
      cost: 0.001,
      source: 'workspace',
      flags: ['cost_disagrees', 'cost_provided'],
    })
    t.like(await send({ ...gpt, 'gen_ai.request.model': 'gpt-4o-mini' }), { source: 'table' })
    t.like(await send({ 'gen_ai.usage.cost': 0.5 }), { cost: 0.5, source: 'sender' })
    t.is(await put([{ model: '*', input_usd_per_m: 1, output_usd_per_m: 0 }]), 200)
    t.like(await send({ 'gen_ai.usage.cost': 0.5 }), {
      cost: 0.001,
      source: 'workspace',
      flags: ['cost_disagrees', 'cost_provided'],
    })
  },
)

test.serial('the savings of caching are computed with the prices of the workspace', async (t) => {
  t.is(await put([{ ...llama, cached_usd_per_m: 0.5, cache_write_usd_per_m: 3 }]), 200)
  const { cost, savings } = await send({
    'gen_ai.usage.cache_read.input_tokens': 600,
    'gen_ai.usage.cache_creation.input_tokens': 100,
  })
  t.is(cost, (300 * 2 + 600 * 0.5 + 100 * 3 + 100 * 10) / 1e6)
  t.is(Math.round((savings ?? 0) * 1e9), 1_000 * (600 * 1.5 - 100 * 1))
})

test.serial('a call is priced by the prices at its start', async (t) => {
  const nowMs = Date.now()
  const day = 86_400_000
  const from = (ms: number): string => new Date(ms).toISOString()
  t.is(
    await put([
      { ...llama, valid_from: from(nowMs - 2 * day) },
      { ...llama, input_usd_per_m: 20, valid_from: from(nowMs - day) },
    ]),
    200,
  )
  t.like(await send({}, own, nowMs - 3 * day), { cost: null, flags: ['unpriced'] })
  t.like(await send({}, own, nowMs - 1.5 * day), { cost: 0.003 })
  const newest = await send({}, own, nowMs - day)
  t.is(newest.cost, 0.021)
  t.true(newest.stored?.endsWith(`:*/my-llama-*@${from(nowMs - day)}`))
})

test.serial('stored events keep their cost, and sums add it up', async (t) => {
  const tenant = await service.addWorkspace()
  const total = async (): Promise<unknown> => {
    const path = `/v1/workspaces/${tenant.workspaceId}/stats/summary`
    const { json } = await service.call('GET', path, { token: tenant.accessToken })
    return (json as { cost_usd: number }).cost_usd
  }
  await put([llama], tenant)
  await send({}, tenant)
  t.is(await total(), 0.003)
  await put([{ ...llama, input_usd_per_m: 0, output_usd_per_m: 0 }], tenant)
  t.like(await send({}, tenant), { cost: 0, source: 'workspace', flags: [] })
  t.is(await total(), 0.003)
})
