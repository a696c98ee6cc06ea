// A replica that lacks the last commits takes over, under fronts and an actor that have seen those commits.
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { countLost, judge } from './_judge.ts'
import type { Mutation } from './_mutant.ts'
import { openReplicatedDatabase, type ReplicatedDatabase } from './_replica.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { makeNew, openTenants, sendUntilTaken, type Tenant } from './_tenants.ts'
import { limit, type Result, tellGaps } from './_under.ts'

export const replicated: SceneOptions<ReplicatedDatabase> = {
  openDatabase: openReplicatedDatabase,
  actors: 1,
  far: ['actor-1'],
}

const countsTheLost: Mutation = {
  file: 'src/ingest/commit/commit-group.ts',
  from: 'work.batch.storedOn === undefined || work.batch.storedOn === timeline ? work : { ...work, repeats: 0 }',
  to: 'work',
}

/** The control: repeats are counted as such on whichever timeline they were stored. */
export const replicatedWithoutTimeline: SceneOptions<ReplicatedDatabase> = { ...replicated, mutations: [countsTheLost] }

const workspaces = 4
/** The periodic read of the rules compensates for a lost notice. */
const wrongForMs = 5_000

/**
 * Both fronts serve the rules that were activated after the failover, though the lost ones had the same number; and each lost batch is
 * stored once when its client sends it again, to the front that had acknowledged it.
 */
export async function failOver(scene: Scene<ReplicatedDatabase>): Promise<Result> {
  const { cluster, database, still } = scene
  const [first, second] = cluster.fronts
  if (first === undefined || second === undefined) throw new Error('it takes two fronts')
  await database.replicate()
  await cluster.settled()
  still.reset()
  const { tenants, accessToken } = await openTenants(first.baseUrl, workspaces)
  const [ruled] = tenants
  if (ruled === undefined) throw new Error('nobody sends')
  const person = { accessToken, ...ruled }
  const faults: string[] = []
  const sendAll = (front: Part): Promise<unknown> =>
    Promise.all(tenants.map(async (tenant) => await sendUntilTaken(front.baseUrl, tenant, makeNew(tenant))))

  await sendAll(first)
  await database.loseTail()
  const tail = tenants.map((tenant) => ({ tenant, batch: makeNew(tenant) }))
  for (const { tenant, batch } of tail) await sendUntilTaken(first.baseUrl, tenant, batch)
  const lostId = await activate(first, person)
  const etags = await Promise.all(cluster.fronts.map((front) => untilRules(front, ruled, lostId)))

  const diedAtMs = performance.now()
  let isUp = false
  // Not sent through the first front: what it still knows of the lost commits must not depend on whether it noticed the failover.
  const gaps = tenants.map(async (tenant) => {
    await until(() => isUp)
    await sendUntilTaken(second.baseUrl, tenant, makeNew(tenant))
    return performance.now() - diedAtMs
  })
  await database.failOver()
  isUp = true
  const gapsMs = await Promise.all(gaps)
  const keptId = await activate(second, person)
  const activatedAtMs = performance.now()
  await Promise.all(cluster.fronts.map((front, at) => untilRules(front, ruled, keptId, etags[at])))
  const wrongMs = limit(scene, faults, 'giving the rules of now', performance.now() - activatedAtMs, wrongForMs)

  const { lost: tailSpans } = await countLost(database.query, { tenants })
  for (const { tenant, batch } of tail) await sendUntilTaken(first.baseUrl, tenant, batch)
  await sendAll(first)
  faults.push(...(await judge(database.query, { tenants })))
  return {
    faults,
    figures: {
      tail_spans: tailSpans,
      rules_wrong_ms: wrongMs,
      ...(await countLost(database.query, { tenants })),
      ...tellGaps(gapsMs),
      still_ms: Math.round(still.totalMs()),
    },
  }
}

type Person = Pick<Tenant, 'workspaceId'> & { readonly accessToken: string }

let proposals = 0

/** Activates a decision, and tries again with another one if the database breaks a connection. Returns the id. */
async function activate(front: Part, { workspaceId, accessToken }: Person): Promise<string> {
  const path = `${front.baseUrl}/v1/workspaces/${workspaceId}/decisions`
  const post = async (to: string, body: object): Promise<{ id: string } | null> => {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as { id: string }
    if (response.status === 503) return null
    throw new Error(`${to} was answered ${response.status}: ${text}`)
  }
  let id = ''
  await until(async () => {
    proposals += 1
    const proposal = { type: 'suppress_dead', config: {}, tool_name: `tool ${proposals}`, agent_id: null }
    const decision = await post(path, proposal)
    if (decision === null) return false
    ;({ id } = decision)
    for (const move of [{ to: 'shadow' }, { to: 'active', force: true }])
      if ((await post(`${path}/${id}/transitions`, move)) === null) return false
    return true
  })
  return id
}

/** Requests rules with the held ETag until the only rule is this one. Returns its ETag. */
async function untilRules(front: Part, { key }: Tenant, id: string, held = ''): Promise<string> {
  let etag = ''
  await until(async () => {
    const headers = { authorization: `Bearer ${key}`, 'if-none-match': held }
    const response = await fetch(`${front.baseUrl}/v1/apply/rules`, { headers })
    const text = await response.text()
    if (response.status !== 200) return false
    etag = response.headers.get('etag') ?? ''
    const { rules } = JSON.parse(text) as { rules: { decision_id: string }[] }
    return rules.length === 1 && rules[0]?.decision_id === id
  })
  return etag
}
