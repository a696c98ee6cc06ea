// The effects of a change on one front, of prices too, on the others: immediate if notices arrive, otherwise with a correct age.
import test from 'ava'
import { openRelay, type Relay } from '../_kit/relay.ts'
import { signUp, type Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeSpan, randomTraceId } from '../_kit/spans.ts'
import { measure, untilWithin } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { openCluster, type Part, postAgain, type TestCluster } from './_cluster.ts'

let cluster: TestCluster
let a: Part
let b: Part
/** Receives no notices. */
let deaf: Part
/** The connection of `b` to NATS. */
let way: Relay
/** Its account and key are kept through all tests: each new user costs a password hash. */
let neighbour: Tenant

test.before(async () => {
  cluster = await openCluster()
  const nats = new URL(cluster.nats.url)
  way = await openRelay(Number(nats.port))
  nats.port = String(way.port)
  const settings = { ROLES: 'front', DEFAULT_PLAN: 'self_hosted' }
  ;[a, b, deaf] = await Promise.all([
    cluster.start({ ...settings, MEMBER_NAME: 'front-a' }),
    cluster.start({ ...settings, MEMBER_NAME: 'front-b', NATS_URL: nats.href }),
    cluster.start({ ...settings, MEMBER_NAME: 'front-c', NATS_PREFIX: 'elsewhere' }),
  ])
  neighbour = await signUp(a.baseUrl)
})
/** Without the time in which NATS or PostgreSQL did not answer. */
const holdsWithin = async (promisedMs: number, holds: () => Promise<boolean>): Promise<void> =>
  await untilWithin(promisedMs, holds, cluster.pings)

test.after.always(async () => {
  await cluster.stop()
  await way.stop()
})

const getRules = async (front: Part, key: string, query = '', headers = {}): Promise<Response> =>
  await fetch(`${front.baseUrl}/v1/apply/rules${query}`, { headers: { authorization: `Bearer ${key}`, ...headers } })

/** How long a front without notices uses a cached membership, role or session. */
const heldMs = 5_000

/** The control: the cached answer is still used, unless the machine stood still long enough for it to expire. */
const isHeld = (status: number, sinceMs: number): boolean => status === 200 || performance.now() - sinceMs >= heldMs

async function revoke(front: Part, { accessToken: token, workspaceId }: Tenant): Promise<number> {
  const { json } = await front.call('GET', `/v1/keys?workspace_id=${workspaceId}`, { token })
  const [key] = json as { id: string }[]
  return (await front.call('DELETE', `/v1/keys/${key?.id}`, { token })).status
}

test.serial('a poll that waits under a key ends with 401 when the key is revoked, on every front', async (t) => {
  const customer = await signUp(a.baseUrl)
  const other = await signUp(a.baseUrl)
  /** Polls until the key is refused, since a front may answer 503 for a moment and a poll ends after 30 s. */
  const park = async (front: Part, { key }: Tenant): Promise<Response> => {
    for (;;) {
      const etag = (await getRules(front, key)).headers.get('etag') ?? ''
      const answer = await getRules(front, key, '?wait=30', { 'if-none-match': etag })
      if (answer.status === 401) return answer
    }
  }
  const fronts = [a, b, deaf]
  const parked = fronts.map((front) => park(front, customer))
  const untouched = fronts.map((front) => park(front, other))
  const count = async (front: Part): Promise<number> => await front.metric('tracewright_rules_parked')
  const areWaiting = async (polls: number): Promise<boolean> =>
    (await Promise.all(fronts.map(count))).every((waiting) => waiting === polls)
  await until(async () => await areWaiting(2))
  const { tookMs } = await measure(async () => {
    t.is(await revoke(a, customer), 204)
    for (const answer of parked) t.is((await answer).status, 401)
  }, cluster.pings)
  t.true(tookMs < 3_000, `${tookMs} ms`)
  // The control: polls with a good key wait on.
  await until(async () => await areWaiting(1))
  t.is(await revoke(a, other), 204)
  for (const answer of untouched) t.is((await answer).status, 401)
})

test.serial('a member who is removed on one front cannot read on the others', async (t) => {
  const owner = await signUp(a.baseUrl)
  const orgs = await a.call('GET', '/v1/auth/me', { token: owner.accessToken })
  const { orgs: listed } = orgs.json as { orgs: { id: string }[] }
  const orgId = listed[0]?.id
  const me = await a.call('GET', '/v1/auth/me', { token: neighbour.accessToken })
  const { user } = me.json as { user: { id: string; email: string } }
  const invite = { email: user.email, role: 'member' }
  const invited = await a.call('POST', `/v1/orgs/${orgId}/invites`, { token: owner.accessToken, body: invite })
  const { token } = invited.json as { token: string }
  const read = async (front: Part): Promise<number> =>
    (await front.call('GET', `/v1/workspaces/${owner.workspaceId}/agents`, { token: neighbour.accessToken })).status

  for (const front of [a, b, deaf]) t.is(await read(front), 404)
  const accepted = await a.call('POST', '/v1/invites/accept', { token: neighbour.accessToken, body: { token } })
  t.is(accepted.status, 200, accepted.text)
  // A new member is also known at once, though just refused there.
  t.is(await read(a), 200)
  await holdsWithin(1_000, async () => (await read(b)) === 200)
  let sinceMs = 0
  await until(async () => {
    sinceMs = performance.now()
    return (await read(deaf)) === 200
  })
  const removal = `/v1/orgs/${orgId}/members/${user.id}`
  t.is((await a.call('DELETE', removal, { token: owner.accessToken })).status, 204)
  t.true(isHeld(await read(deaf), sinceMs), 'the control: who is not told holds the role for up to five seconds')
  await holdsWithin(1_000, async () => (await read(b)) === 404)
  await holdsWithin(6_000, async () => (await read(deaf)) === 404)
})

test.serial('a role that is lowered on one front is lowered on the others', async (t) => {
  const owner = await signUp(a.baseUrl)
  const { orgs } = (await a.call('GET', '/v1/auth/me', { token: owner.accessToken })).json as { orgs: { id: string }[] }
  const { user } = (await a.call('GET', '/v1/auth/me', { token: neighbour.accessToken })).json as {
    user: { id: string; email: string }
  }
  const org = `/v1/orgs/${orgs[0]?.id}`
  const body = { email: user.email, role: 'admin' }
  const invited = await a.call('POST', `${org}/invites`, { token: owner.accessToken, body })
  const { token } = invited.json as { token: string }
  await a.call('POST', '/v1/invites/accept', { token: neighbour.accessToken, body: { token } })
  // A route for admins only.
  const read = async (front: Part): Promise<number> =>
    (await front.call('GET', `/v1/workspaces/${owner.workspaceId}/audit`, { token: neighbour.accessToken })).status
  const sinceMs = performance.now()
  for (const front of [a, b, deaf]) t.is(await read(front), 200)
  const change = { token: owner.accessToken, body: { role: 'member' } }
  t.is((await a.call('PATCH', `${org}/members/${user.id}`, change)).status, 200)
  t.true(isHeld(await read(deaf), sinceMs), 'the control: who is not told holds the role for up to five seconds')
  t.is(await read(a), 403)
  await holdsWithin(1_000, async () => (await read(b)) === 403)
  await holdsWithin(6_000, async () => (await read(deaf)) === 403)
})

test.serial(
  'with an account that is deleted on one front, its workspace and keys are gone on the others',
  async (t) => {
    const { accessToken: token, key, password, workspaceId } = await signUp(a.baseUrl)
    const read = async (front: Part): Promise<number> =>
      (await front.call('GET', `/v1/workspaces/${workspaceId}/agents`, { token })).status
    for (const front of [a, b]) {
      t.is(await read(front), 200)
      t.is((await getRules(front, key)).status, 200)
    }
    t.is((await a.call('DELETE', '/v1/auth/me', { token, body: { current_password: password } })).status, 204)
    t.is(await read(a), 401)
    t.is((await getRules(a, key)).status, 401)
    await holdsWithin(1_000, async () => (await read(b)) === 401)
    await holdsWithin(1_000, async () => (await getRules(b, key)).status === 401)
    t.is((await b.call('GET', '/v1/auth/me', { token })).status, 401)
    t.is((await getRules(b, neighbour.key)).status, 200, 'the control')
  },
)

test.serial('a session that is ended on one front reads nothing more on the others', async (t) => {
  const customer = await signUp(a.baseUrl)
  const token = customer.accessToken
  const read = async (front: Part): Promise<number> => (await front.call('GET', '/v1/auth/me', { token })).status
  const sinceMs = performance.now()
  for (const front of [a, b, deaf]) t.is(await read(front), 200)
  const body = { refresh_token: customer.refreshToken }
  t.is((await a.call('POST', '/v1/auth/logout', { body })).status, 204)
  t.is(await read(a), 401)
  t.true(isHeld(await read(deaf), sinceMs), 'the control: it takes the session for live for up to five seconds')
  await holdsWithin(1_000, async () => (await read(b)) === 401)
  await holdsWithin(6_000, async () => (await read(deaf)) === 401)
})

/** Returns the cost of a call with a million input tokens that is sent to a front. */
async function costOn(front: Part): Promise<number | null> {
  const traceId = randomTraceId()
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'my-llama-7b',
    'gen_ai.usage.input_tokens': 1_000_000,
  }
  const span = makeSpan({ traceId, attributes })
  const { status } = await postAgain({ baseUrl: front.baseUrl, key: neighbour.key }, encodeRequest([span]))
  if (status !== 200) throw new Error(`ingest answered ${status}`)
  const [event] = await cluster.database.query<{ cost: number | null }>(
    'select cost_usd as cost from events where workspace_id = $1 and trace_id = $2',
    [neighbour.workspaceId, Buffer.from(traceId, 'hex')],
  )
  if (event === undefined) throw new Error('the span is not there')
  return event.cost
}

async function setPrice(front: Part, usd: number | null): Promise<number> {
  const path = `/v1/workspaces/${neighbour.workspaceId}/prices`
  const body = [{ model: 'my-*', input_usd_per_m: usd, output_usd_per_m: 0 }]
  const token = neighbour.accessToken
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
    t.is(await setPrice(from, usd), usd === null ? 204 : 200)
    t.is(await costOn(from), usd)
    await holdsWithin(1_000, async () => (await costOn(other)) === usd)
  }
})

test.serial(
  'a front that is told of nothing knows new prices within five seconds, and that they were removed',
  async (t) => {
    for (const usd of [4, null] as const) {
      t.not(await costOn(deaf), usd)
      t.is(await setPrice(a, usd), usd === null ? 204 : 200)
      await holdsWithin(6_000, async () => (await costOn(deaf)) === usd)
    }
  },
)

test.serial('a front without NATS reports the age of its rules', async (t) => {
  const { key } = neighbour
  /**
   * Returns the age of an answer that was not affected by a slow database: if a read takes more than 200 ms, cached rules are served with
   * their age, whether or not the front receives notices. The front counts such answers.
   */
  const readAge = async (front: Part): Promise<string | null> => {
    const countBridged = async (): Promise<number> =>
      await front.metric('tracewright_fallback_total{path="rules_stale"}')
    let age: string | null = null
    await until(async () => {
      const before = await countBridged()
      const answer = await getRules(front, key)
      t.is(answer.status, 200)
      await answer.arrayBuffer()
      age = answer.headers.get('age')
      return (await countBridged()) === before
    })
    return age
  }
  for (const front of [a, b]) t.is(await readAge(front), null)
  way.set('cut')
  await until(async () => (await readAge(b)) !== null)
  const ages = new Set<string | null>()
  await until(async () => {
    ages.add(await readAge(b))
    return ages.has('4')
  })
  t.true(
    [...ages].every((age) => age === null || Number(age) <= 5),
    [...ages].join(),
  )
  t.is(await readAge(a), null, 'the control: it hears')
  way.set('open')
  await until(async () => (await b.metric('tracewright_nats_up')) === 1)
  t.is(await readAge(b), null)
})
