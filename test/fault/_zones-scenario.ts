// Two zones that cannot reach each other, of which one has also lost the database; in the other one a key is revoked.
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../_kit/sign-up.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { answered } from '../ingest/_http.ts'
import type { MortalDatabase } from './_database.ts'
import type { Load } from './_load.ts'
import type { Mutation } from './_mutant.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { openSplitNats } from './_split-nats.ts'
import { makeNew, sendUntilTaken } from './_tenants.ts'
import { limit, type Result, under, watchLag } from './_under.ts'

// The control runs beside the tested front: it does not treat a silent member as missing.
const control = 'front-1'
const forgetsTheSilent: Mutation = {
  file: 'src/actors/route-table.ts',
  from: 'return isSaid && !silent.isSomeoneMissing(new Set(live.map(({ name }) => name)), nowMs)',
  to: 'return isSaid',
  member: control,
}

const far = [control, 'actor-2']

/** One process with the database and a NATS server, two with another server. Each of the first two is front and actor. */
export const zones: SceneOptions<MortalDatabase> = {
  fronts: 1,
  actors: 2,
  actorRoles: 'front,actor',
  far,
  openNats: () => openSplitNats(far),
  mutations: [forgetsTheSilent],
}

/** Limit for a revoked key (cluster design, section 6). */
const promisedMs = 1_000
const askEveryMs = 100
/** Time after the control has accepted the key, during which the tested front could have accepted it too. */
const lingerMs = 500

/**
 * The front that is cut off accepts the revoked key for no longer than a second. Once the split has healed, every front refuses it, a poll
 * that is parked under it ends, and spans sent to that front are stored once. Accepting a request that was sent after that second is a
 * fault however slow the machine is.
 */
export async function revokeBeyondSplit(scene: Scene): Promise<Result> {
  const { cluster, nats, remote } = scene
  const { route } = nats
  const [near, cutOff] = cluster.actors
  const [mutant] = cluster.fronts
  if (route === undefined || near === undefined || cutOff === undefined || mutant === undefined)
    throw new Error('there are no two zones here')
  const act = async ({ tenants: [tenant] }: Load, faults: string[]): Promise<Record<string, number>> => {
    if (tenant === undefined) throw new Error('nobody sends')
    const stays = tenant.key
    const { key, accessToken, workspaceId } = await signUp(near.baseUrl)
    const fronts = [cutOff, near, mutant]
    const [etag = ''] = await Promise.all(fronts.map((front) => warm(front, [key, stays])))
    const parked = parkUntilNews(cutOff, key, etag)

    route.set('cut')
    remote.database.set('silent')
    const storing = sendUntilTaken(cutOff.baseUrl, tenant, makeNew(tenant))
    const revokedAtMs = await revoke(near, accessToken, workspaceId)
    const asking = [cutOff, mutant].map((front) => askOften(front, key, revokedAtMs))
    await until(() => (asking[1]?.lastTakenMs() ?? 0) > promisedMs)
    await sleep(lingerMs)
    const [lastedMs = 0, controlMs = 0] = await Promise.all(asking.map((one) => one.stop()))
    if (lastedMs > promisedMs) faults.push(`a revoked key was taken for ${lastedMs} ms`)

    const readLagMs = await watchLag(cluster.actors)
    remote.database.set('open')
    route.set('open')
    const healedAtMs = performance.now()
    for (const front of fronts)
      await until(async () => (await ask(front, key)).status === 401 && (await ask(front, stays)).status === 200)
    const backMs = performance.now() - healedAtMs
    await storing
    const { status, atMs } = await parked
    const lagMs = await readLagMs()
    const parked_ms = limit(scene, faults, 'ending the poll that was parked', atMs - healedAtMs, promisedMs, lagMs)
    if (status !== 401) faults.push(`the poll that was parked under the revoked key was answered ${status}`)
    return { lasted_ms: lastedMs, control_ms: controlMs, back_ms: Math.round(backMs), parked_ms }
  }
  // The zone with the database is not affected.
  return await under(scene, {}, act, { baseUrl: near.baseUrl, senders: 1, workspaces: 3 })
}

/** Polls until the answer is no longer that nothing has changed, which a poll says after its longest wait. */
async function parkUntilNews(front: Part, key: string, etag: string) {
  for (;;) {
    const { status } = await ask(front, key, '?wait=30', { 'if-none-match': etag })
    if (status !== 304) return { status, atMs: performance.now() }
  }
}

async function ask({ baseUrl }: Part, key: string, query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl}/v1/apply/rules${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  await response.arrayBuffer()
  return response
}

/** Loads the keys and their rules into the memory of the front. Returns the ETag of the first key's rules. */
async function warm(front: Part, keys: readonly string[]): Promise<string> {
  const replies = await Promise.all(keys.map((key) => answered(async () => await ask(front, key))))
  for (const { status } of replies) if (status !== 200) throw new Error(`rules were answered ${status}`)
  return replies[0]?.headers.get('etag') ?? ''
}

/** Returns the time of the acknowledgement, by the clock of this process. */
async function revoke({ baseUrl }: Part, accessToken: string, workspaceId: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const list = await fetch(`${baseUrl}/v1/keys?workspace_id=${workspaceId}`, { headers })
  const keys = (await list.json()) as { id: string }[]
  const { ok, status } = await fetch(`${baseUrl}/v1/keys/${keys[0]?.id}`, { method: 'DELETE', headers })
  if (!ok) throw new Error(`revoking was answered ${status}`)
  return performance.now()
}

/** Sends requests without waiting for answers; a refusal takes up to 2 s here. */
function askOften(front: Part, key: string, sinceMs: number) {
  let lastTakenMs = 0
  const open: Promise<void>[] = []
  const askOnce = async (): Promise<void> => {
    const sentAtMs = performance.now()
    const { status } = await ask(front, key)
    if (status === 200) lastTakenMs = Math.max(lastTakenMs, Math.round(sentAtMs - sinceMs))
  }
  const timer = setInterval(() => open.push(askOnce()), askEveryMs)
  return {
    lastTakenMs: () => lastTakenMs,
    /** Returns how long after `sinceMs` the last request was sent that was answered with rules. */
    async stop(): Promise<number> {
      clearInterval(timer)
      await Promise.all(open)
      return lastTakenMs
    },
  }
}
