// Two fronts and an actor on one database: a change on one front takes effect on the other one, with and without NATS.
import { connect } from 'node:net'
import test from 'ava'
import { partitionCount } from '../../src/actors/partition.ts'
import { toolResultResponse } from '../../src/serving/tool-result/routes.ts'
import { findFreePort } from '../_kit/free-port.ts'
import { signUp, type Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeSpan } from '../_kit/spans.ts'
import { measure, untilWithin } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { addDecision } from '../_kit/workspace.ts'
import { answered, postOnce } from '../ingest/_http.ts'
import { makeCustomer, seal, unseal } from '../serving/tool-result/_sealed.ts'
import { type Called, openCluster, type Part, postAgain, type TestCluster } from './_cluster.ts'

let cluster: TestCluster
let a: Part
let b: Part
/** Receives no notices, as if every notice were lost. */
let deaf: Part
let actor: Part
let customer: Tenant

test.before(async () => {
  cluster = await openCluster()
  const starting = [
    cluster.start({ ROLES: 'front', MEMBER_NAME: 'front-a' }),
    cluster.start({ ROLES: 'front', MEMBER_NAME: 'front-b' }),
    cluster.start({ ROLES: 'front', MEMBER_NAME: 'front-c', NATS_PREFIX: 'elsewhere' }),
    cluster.start({ ROLES: 'actor', MEMBER_NAME: 'actor-0' }),
  ] as const
  ;[a, b, deaf, actor] = await Promise.all(starting)
  customer = await signUp(a.baseUrl)
  await routesKnown()
})
/** Without the time in which NATS or PostgreSQL did not answer. */
const holdsWithin = async (promisedMs: number, holds: () => Promise<boolean>): Promise<void> =>
  await untilWithin(promisedMs, holds, cluster.pings)

test.after.always(async () => await cluster.stop())

const routesKnown = async (): Promise<void> =>
  await until(async () => {
    const known = await Promise.all([a, b].map((front) => front.metric('tracewright_routes_known')))
    return known.every((count) => count === partitionCount)
  })

/** Repeats a call that is answered 503, which a machine that stood still may cause. */
const call = async (front: Part, ...request: Parameters<Part['call']>): Promise<Called> =>
  await answered(async () => await front.call(...request))

const rulesOf = async (front: Part, token = customer.key): Promise<string[]> => {
  const { json } = await call(front, 'GET', '/v1/apply/rules', { token })
  return (json as { rules: { decision_id: string }[] }).rules.map((rule) => rule.decision_id)
}

const move = async (front: Part, decisionId: string, to: string): Promise<number> => {
  const path = `/v1/workspaces/${customer.workspaceId}/decisions/${decisionId}/transitions`
  return (await call(front, 'POST', path, { token: customer.accessToken, body: { to, force: true } })).status
}

/** Makes an active rule; the fronts are notified at once. */
async function addActive(options: Parameters<typeof addDecision>[2]): Promise<string> {
  const id = await addDecision(cluster.database.query, customer.workspaceId, { ...options, state: 'shadow' })
  if ((await move(a, id, 'active')) !== 200) throw new Error('it could not be activated')
  return id
}

type Minted = { readonly id: string; readonly api_key: string }
const mint = async (front: Part, { workspaceId, accessToken }: Tenant = customer): Promise<Minted> => {
  const body = { workspace_id: workspaceId, name: 'one more' }
  return (await call(front, 'POST', '/v1/keys', { token: accessToken, body })).json as Minted
}

const me = async (front: Part, token: string): Promise<number> =>
  (await call(front, 'GET', '/v1/workspace/me', { token })).status

const sealer = makeCustomer()
const sent = { all: 0, taken: 0 }
/** Sends one span. Returns the status. */
async function send(front: Part, attributes = {}, how: typeof postAgain = postOnce): Promise<number> {
  sent.all += 1
  const span = makeSpan({ start: Date.now() - 10_000 + sent.all, attributes })
  const { status } = await how({ baseUrl: front.baseUrl, key: customer.key }, encodeRequest([span]))
  if (status === 200) sent.taken += 1
  return status
}
const sendAgain = async (front: Part, attributes = {}): Promise<number> => await send(front, attributes, postAgain)

test.serial('an actor owns every partition, is ready, and answers nothing but probes', async (t) => {
  let ready: unknown
  await until(async () => {
    const { status, json } = await actor.call('GET', '/v1/health/ready')
    ready = json
    return status === 200
  })
  t.deepEqual(ready, { status: 'ok', checks: { settled: 'ok', heartbeat: 'ok', partitions: 'ok', serving: 'ok' } })
  t.is(await actor.metric('tracewright_partitions_owned'), partitionCount)
  t.is((await actor.call('GET', '/v1/workspaces', { token: customer.accessToken })).status, 404)
  t.is((await a.call('GET', '/v1/health/ready')).status, 200)
})

test.serial('a rule that is disabled on one front is gone from the other within a second', async (t) => {
  // This type may be reactivated at once: a reuse rule would have to prove its inputs first.
  const decisionId = await addActive({ type: 'suppress_dead', inputHash: null })
  await until(async () => (await rulesOf(a)).includes(decisionId) && (await rulesOf(b)).includes(decisionId))
  for (const [from, other] of [
    [a, b],
    [b, a],
    [a, b],
  ] as const) {
    // The front that changed it last is notified like the others.
    await until(async () => (await rulesOf(other)).includes(decisionId))
    t.is(await move(from, decisionId, 'disabled'), 200)
    await holdsWithin(1_000, async () => !(await rulesOf(other)).includes(decisionId))
    t.is(await move(from, decisionId, 'shadow'), 200)
    t.is(await move(from, decisionId, 'active'), 200)
    await holdsWithin(1_000, async () => (await rulesOf(other)).includes(decisionId))
  }
  t.true((await a.metric('tracewright_actor_requests_total{op="snapshot",result="ok"}')) > 0)
  t.is(await move(a, decisionId, 'disabled'), 200)
})

test.serial('a caller who waits on one front is woken by what another one changes', async (t) => {
  const decisionId = await addActive({})
  await until(async () => (await rulesOf(b)).includes(decisionId))
  const { headers } = await b.call('GET', '/v1/apply/rules', { token: customer.key })
  const { value: woken, tookMs } = await measure(async () => {
    const waiting = fetch(`${b.baseUrl}/v1/apply/rules?wait=20`, {
      headers: { authorization: `Bearer ${customer.key}`, 'if-none-match': headers.get('etag') ?? '' },
    })
    await until(async () => (await b.metric('tracewright_nats_up')) === 1)
    t.is(await move(a, decisionId, 'disabled'), 200)
    return await waiting
  }, cluster.pings)
  t.is(woken.status, 200)
  t.false((await woken.text()).includes(decisionId))
  t.true(tookMs < 4_000, `${tookMs} ms`)
})

test.serial('a result that one front stored is served by the other within a second, and the newest one', async (t) => {
  const inputHash = 'sha256:cluster'
  const config = { freshness_s: 3_600 }
  const decisionId = await addActive({ inputHash, config })
  await until(async () => (await rulesOf(a)).includes(decisionId) && (await rulesOf(b)).includes(decisionId))
  const ask = async (front: Part): Promise<string | number> => {
    const path = `/v1/apply/tool-result?decision_id=${decisionId}&input_hash=${inputHash}`
    const { status, json } = await call(front, 'GET', path, { token: customer.key })
    return status === 200 ? unseal(sealer, toolResultResponse.parse(json)) : status
  }
  t.is(await ask(b), 404)
  for (const result of ['first', 'second', 'third']) {
    t.is(await sendAgain(a, seal(sealer, 'search', inputHash, result)), 200)
    await holdsWithin(1_000, async () => (await ask(b)) === result)
  }
})

test.serial(
  'a key that is revoked on one front is refused by the others within a second, told of it or not',
  async (t) => {
    for (const [from, other] of [
      [a, b],
      [a, deaf],
      [deaf, a],
    ] as const) {
      const { id, api_key: key } = await mint(from)
      t.is(await me(other, key), 200)
      t.is((await call(from, 'DELETE', `/v1/keys/${id}`, { token: customer.accessToken })).status, 204)
      t.is(await me(from, key), 401)
      await holdsWithin(1_000, async () => (await me(other, key)) === 401)
    }
  },
)

test.serial(
  'a workspace that is deleted on one front is gone from it at once, and its keys from all within a second',
  async (t) => {
    const other = await signUp(b.baseUrl)
    const { api_key: key } = await mint(b, other)
    for (const front of [a, b, deaf]) t.is(await me(front, key), 200)
    const path = `/v1/workspaces/${other.workspaceId}`
    t.is((await call(a, 'DELETE', path, { token: other.accessToken })).status, 204)
    t.is(await me(a, key), 401)
    for (const front of [b, deaf]) await holdsWithin(1_000, async () => (await me(front, key)) === 401)
  },
)

test.serial(
  'without NATS everything is answered by the database, and keys are refused in time; with it routes heal',
  async (t) => {
    const decisionId = await addActive({ config: { freshness_s: 60 } })
    await until(async () => (await rulesOf(a)).includes(decisionId) && (await rulesOf(b)).includes(decisionId))
    const { id, api_key: key } = await mint(a)
    t.is(await me(b, key), 200)
    await cluster.nats.kill('SIGKILL')
    await until(async () => (await a.metric('tracewright_nats_up')) === 0)

    for (const front of [a, b]) {
      t.is(await sendAgain(front), 200)
      t.true((await rulesOf(front)).includes(decisionId))
      const path = `/v1/apply/tool-result?decision_id=${decisionId}&input_hash=none`
      t.is((await call(front, 'GET', path, { token: customer.key })).status, 404)
      t.is((await front.call('GET', '/v1/health/ready')).status, 200)
    }
    t.is((await call(a, 'DELETE', `/v1/keys/${id}`, { token: customer.accessToken })).status, 204)
    t.is(await me(a, key), 401)
    await holdsWithin(1_000, async () => (await me(b, key)) === 401)
    t.is(await move(a, decisionId, 'disabled'), 200)
    await holdsWithin(500, async () => !(await rulesOf(a)).includes(decisionId))
    await holdsWithin(6_000, async () => !(await rulesOf(b)).includes(decisionId))
    t.true((await a.metric('tracewright_fallback_total{path="ingest"}')) > 0)
    t.is((await actor.call('GET', '/v1/health/live')).status, 200)

    await cluster.nats.restart()
    const answered = 'tracewright_actor_requests_total{op="reserve",result="ok"}'
    const before = await b.metric(answered)
    await until(async () => (await send(b)) === 200 && (await b.metric(answered)) > before)
    await until(async () => (await actor.call('GET', '/v1/health/ready')).status === 200)
    const stored = await cluster.database.query<{ count: number }>('select count(*)::int as count from events')
    // Some may have been refused for now while routes healed, and still be stored.
    const count = stored[0]?.count ?? 0
    t.true(count >= sent.taken && count <= sent.all, `${count} stored, ${JSON.stringify(sent)}`)
  },
)

const mostTries = 5

test.serial(
  'without the database ingest answers 503, rules come from memory with their age, and results are refused',
  async (t) => {
    const decisionId = await addActive({ config: { freshness_s: 60 } })
    const countFenced = async (): Promise<number> => await actor.metric('tracewright_fenced_total{reason="echo"}')
    const path = `/v1/apply/tool-result?decision_id=${decisionId}&input_hash=none`
    /**
     * Returns false if the actor has fenced itself, as on a machine that stands still for seconds: without the database it stays so, and no
     * key is trusted. The last try fails instead.
     */
    const tryOnce = async (isLast: boolean): Promise<boolean> => {
      await until(async () => (await rulesOf(a)).includes(decisionId))
      const fencedBefore = await countFenced()
      const isFenced = async (): Promise<boolean> => (await countFenced()) > fencedBefore
      cluster.way.set('cut')
      await until(async () => (await send(a)) === 503)
      // Until the actor has reported that it has no database either, keys are not trusted.
      await until(async () => {
        const { status, headers, text } = await a.call('GET', '/v1/apply/rules', { token: customer.key })
        return (status === 200 && Number(headers.get('age')) >= 1 && text.includes(decisionId)) || (await isFenced())
      })
      const { status, headers } = await postOnce(
        { baseUrl: a.baseUrl, key: customer.key },
        encodeRequest([makeSpan({})]),
      )
      const result = await a.call('GET', path, { token: customer.key })
      const ready = await a.call('GET', '/v1/health/ready')
      const wasFenced = await isFenced()
      if (wasFenced && !isLast) return false
      t.false(wasFenced, 'the actor has fenced itself')
      t.is(status, 503)
      t.true(Number(headers.get('retry-after')) >= 1)
      t.is(result.status, 404)
      t.is(ready.status, 200)
      return true
    }
    for (let tries = 1, isDone = false; !isDone; tries += 1) {
      isDone = await tryOnce(tries === mostTries).finally(() => cluster.way.set('open'))
      await until(async () => (await send(a)) === 200)
      await until(async () => (await actor.call('GET', '/v1/health/ready')).status === 200)
    }
  },
)

test.serial('a front starts and serves where NATS cannot be reached', async (t) => {
  const front = await cluster.start({ ROLES: 'front', MEMBER_NAME: 'front-e', NATS_URL: 'nats://127.0.0.1:1' })
  t.is((await front.call('GET', '/v1/health/ready')).status, 200)
  t.is(await sendAgain(front), 200)
  t.is((await front.call('GET', '/v1/apply/rules', { token: customer.key })).status, 200)
  t.is(await front.metric('tracewright_nats_up'), 0)
  await front.stop()
})

// As in a cluster: three calls are made before it ends, though the machine may stand still for seconds.
const drainDelayMs = 5_000

test.serial(
  'a front that is told to stop serves on, not ready, until balancers know, and then ends connections',
  async (t) => {
    // Nobody else uses this port after the front.
    const PORT = await findFreePort()
    const front = await cluster.start({ ROLES: 'front', MEMBER_NAME: 'front-d', PORT, DRAIN_DELAY_MS: drainDelayMs })
    t.is(await me(front, customer.key), 200)
    const startedAtMs = performance.now()
    const stopping = front.stop()
    await until(async () => (await front.call('GET', '/v1/health/ready')).status === 503)
    t.is(await me(front, customer.key), 200)
    t.is((await front.call('GET', '/v1/health/live')).status, 200)
    await stopping
    t.true(performance.now() - startedAtMs >= drainDelayMs - 100)
    const { port } = new URL(front.baseUrl)
    await t.throwsAsync(
      new Promise<void>((done, fail) => connect(Number(port), '127.0.0.1').once('connect', done).once('error', fail)),
      { code: 'ECONNREFUSED' },
    )
  },
)

test.serial('an actor that stops hands over its partitions, and fronts use the next owner', async (t) => {
  const next = await cluster.start({ ROLES: 'front,actor', MEMBER_NAME: 'actor-1' })
  await until(async () => (await next.metric('tracewright_members_live')) === 2)
  await actor.stop()
  await until(async () => (await next.metric('tracewright_partitions_owned')) === partitionCount)
  const failed = 'tracewright_fallback_total{path="ingest"}'
  await routesKnown()
  // The front learns of the next owner a moment later, and does not wait for an owner while the machine stands still.
  await until(async () => {
    const before = await b.metric(failed)
    for (let at = 0; at < 20; at += 1) t.is(await sendAgain(b), 200)
    return (await b.metric(failed)) === before
  })
})
