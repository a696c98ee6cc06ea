// Prices that are set on one front take effect on the others: at once if the notice arrives, and within five seconds if it is lost.
import test from 'ava'
import { type SignedUp, signUp } from '../_kit/sign-up.ts'
import { encodeRequest, makeSpan, randomTraceId } from '../_kit/spans.ts'
import { untilWithin } from '../_kit/standstill.ts'
import { openCluster, type Part, postAgain, type TestCluster } from './_cluster.ts'

let cluster: TestCluster
let a: Part
let b: Part
/** Receives no notices. */
let deaf: Part
let customer: SignedUp

test.before(async () => {
  cluster = await openCluster()
  const settings = { ROLES: 'front', DEFAULT_PLAN: 'self_hosted' }
  ;[a, b, deaf] = await Promise.all([
    cluster.start({ ...settings, MEMBER_NAME: 'front-a' }),
    cluster.start({ ...settings, MEMBER_NAME: 'front-b' }),
    cluster.start({ ...settings, MEMBER_NAME: 'front-c', NATS_PREFIX: 'elsewhere' }),
  ])
  customer = await signUp(a.baseUrl)
})
test.after.always(async () => await cluster.stop())

/** Returns the cost of a call with a million input tokens that is sent to a front. */
async function costOn(front: Part): Promise<number | null> {
  const traceId = randomTraceId()
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'my-llama-7b',
    'gen_ai.usage.input_tokens': 1_000_000,
  }
  const span = makeSpan({ traceId, attributes })
  const { status } = await postAgain({ baseUrl: front.baseUrl, key: customer.key }, encodeRequest([span]))
  if (status !== 200) throw new Error(`ingest answered ${status}`)
  const [event] = await cluster.database.query<{ cost: number | null }>(
    'select cost_usd as cost from events where workspace_id = $1 and trace_id = $2',
    [customer.workspaceId, Buffer.from(traceId, 'hex')],
  )
  if (event === undefined) throw new Error('the span is not there')
  return event.cost
}

async function set(front: Part, usd: number | null): Promise<number> {
  const path = `/v1/workspaces/${customer.workspaceId}/prices`
  const body = [{ model: 'my-*', input_usd_per_m: usd, output_usd_per_m: 0 }]
  const token = customer.accessToken
  return (await (usd === null ? front.call('DELETE', path, { token }) : front.call('PUT', path, { token, body })))
    .status
}

test.serial('prices that one front sets and removes are those of the other one within a second', async (t) => {
  for (const [from, other, usd] of [
    [a, b, 1],
    [b, a, 2],
    [a, b, null],
    [a, b, 3],
  ] as const) {
    await costOn(other)
    t.is(await set(from, usd), usd === null ? 204 : 200)
    t.is(await costOn(from), usd)
    await untilWithin(1_000, async () => (await costOn(other)) === usd)
  }
})

test.serial(
  'a front that is told of nothing knows new prices within five seconds, and that they were removed',
  async (t) => {
    for (const usd of [4, null] as const) {
      t.not(await costOn(deaf), usd)
      t.is(await set(a, usd), usd === null ? 204 : 200)
      await untilWithin(6_000, async () => (await costOn(deaf)) === usd)
    }
  },
)
