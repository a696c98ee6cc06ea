// Faults of the servers of a cluster and of the connections to them, each once, under load.
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../_kit/sign-up.ts'
import { inSoak } from '../_kit/soak.ts'
import { watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { answered } from '../ingest/_http.ts'
import type { MortalDatabase } from './_database.ts'
import type { Load } from './_load.ts'
import type { Scene } from './_scene.ts'
import { limit, listMoved, ownedAgain, type Result, readCalmEpochs, readFence, under, watchLag } from './_under.ts'

/** I7, I8: everything continues, and no partition changes hands. NATS stores nothing, so this also covers a wiped server. */
export const stopNats =
  (awayMs: number) =>
  async (scene: Scene): Promise<Result> => {
    // A new cluster takes some seconds, for which no load is needed.
    await scene.cluster.balanced()
    return await under(scene, {}, async (load, faults) => {
      const epochs = await readCalmEpochs(scene)
      await scene.nats.kill('SIGKILL')
      const acknowledged = (): number => load.answers['200'] ?? 0
      const before = acknowledged()
      await sleep(awayMs)
      await until(() => acknowledged() > before)
      const meanwhile = acknowledged() - before
      const upAtMs = performance.now()
      await scene.nats.restart()
      await ownedAgain(scene)
      const backMs = performance.now() - upAtMs
      faults.push(...(await listMoved(scene, epochs)))
      return { back_ms: Math.round(backMs), stored_meanwhile: meanwhile }
    })
  }

/** As before, but open connections stay open and do not answer. */
export const hangNats =
  (awayMs: number) =>
  (scene: Scene): Promise<Result> =>
    under(scene, {}, async (load, faults) => {
      const epochs = await readCalmEpochs(scene)
      await scene.nats.kill('SIGSTOP')
      const before = load.answers['200'] ?? 0
      await sleep(awayMs)
      if ((load.answers['200'] ?? 0) === before) faults.push('nothing was stored while NATS hung')
      const upAtMs = performance.now()
      await scene.nats.kill('SIGCONT')
      await ownedAgain(scene)
      const backMs = performance.now() - upAtMs
      faults.push(...(await listMoved(scene, epochs)))
      return { back_ms: Math.round(backMs) }
    })

/** Rules are served from memory, except while it is still unknown whether a key was revoked (cluster design, section 6). */
const longestDoubtMs = 1_000

/** What clients may be answered while the database fails. */
const refusing = { ingest: ['503'], reads: ['503'] }
/** Enough senders that a fault hits requests in flight. */
const busy = { senders: 4 }

/** I2, I7, I8: only 503 while the database is away; acknowledged data has survived. */
export const crashDatabase =
  (awayMs: number) =>
  (scene: Scene<MortalDatabase>): Promise<Result> =>
    under(scene, refusing, async (load, faults) => await crash(scene, load, faults, awayMs), busy)

async function crash(
  scene: Scene<MortalDatabase>,
  load: Load,
  faults: string[],
  awayMs: number,
): Promise<Record<string, number>> {
  const epochs = await readCalmEpochs(scene)
  await warm(scene, load)
  const refused = (): number => load.reads['503'] ?? 0
  const refusedBefore = refused()
  const { fronts, actors } = scene.cluster
  // A front trusts its keys again once the actors have reported that they have no database either.
  const readLagMs = await watchLag([...fronts, ...actors])
  const still = watchStandstill()
  load.reset()
  await scene.database.kill()
  await sleep(awayMs)
  const refusedReads = refused() - refusedBefore
  const silenceMs = load.longestReadSilenceMs()
  const lagMs = await readLagMs()
  const doubt = limit({ still }, faults, 'rules without an answer', silenceMs, longestDoubtMs, lagMs)
  still.stop()
  await scene.database.revive()
  const upAtMs = performance.now()
  const before = load.answers['200'] ?? 0
  await until(() => (load.answers['200'] ?? 0) > before)
  const backMs = performance.now() - upAtMs
  faults.push(...(await listMoved(scene, epochs)))
  return { back_ms: Math.round(backMs), doubt_ms: doubt, refused_reads: refusedReads }
}

/** Makes each front load the rules of each workspace: without a database a front can serve only the rules that it already holds. */
async function warm({ cluster }: Scene, { tenants }: Load): Promise<void> {
  for (const { baseUrl } of cluster.fronts)
    for (const { key } of tenants) {
      const headers = { authorization: `Bearer ${key}` }
      const response = await answered(async () => await fetch(`${baseUrl}/v1/apply/rules`, { headers }))
      if (!response.ok) throw new Error(`rules were answered ${response.status}`)
    }
}

const cuts = inSoak(6, 12)

/** I2, I7: the connections break repeatedly, at any point of their transactions, also after the commit was sent. */
export const cutDatabase = (scene: Scene<MortalDatabase>): Promise<Result> =>
  under(scene, refusing, async (load, faults) => await cut(scene, load, faults), busy)

async function cut(scene: Scene<MortalDatabase>, load: Load, faults: string[]): Promise<Record<string, number>> {
  const epochs = await readCalmEpochs(scene)
  for (let times = 1; times <= cuts; times += 1) {
    scene.database.cut()
    await sleep(100 + Math.random() * 100)
  }
  faults.push(...(await listMoved(scene, epochs)))
  return { refused: load.answers['503'] ?? 0 }
}

/** Both, one after the other. */
export const cutAndCrashDatabase =
  (awayMs: number) =>
  (scene: Scene<MortalDatabase>): Promise<Result> =>
    under(
      scene,
      refusing,
      async (load, faults) => ({ ...(await cut(scene, load, faults)), ...(await crash(scene, load, faults, awayMs)) }),
      busy,
    )

/** I6: T = 2.5 s after the database is back. */
export const killOwnerWithoutDatabase = (scene: Scene<MortalDatabase>): Promise<Result> =>
  under(scene, { ingest: ['503'], reads: ['503'] }, async (_load, faults) => {
    const { owner } = await scene.findOwner()
    await scene.database.kill()
    await owner.end('SIGKILL')
    await sleep(3_000)
    await scene.database.revive()
    const upAtMs = performance.now()
    await ownedAgain(scene)
    const backMs = performance.now() - upAtMs
    await owner.start()
    return { back_ms: limit(scene, faults, 'the take-over', backMs, 2_500) }
  })

/** The database is reset to an earlier state: no epoch under which an answer was given is used again (I3, I4). */
export const rewindDatabase = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const before = await scene.readEpochs()
    const { owner } = await scene.findOwner()
    await owner.end('SIGKILL')
    await ownedAgain(scene)
    await owner.start()
    const values = [before]
    await scene.database.query(
      `update partitions p set epoch = b.epoch, owner = null, boot = null
       from unnest($1::bigint[]) with ordinality as b (epoch, nth) where p.pid = b.nth - 1`,
      values,
    )
    const writtenAtMs = performance.now()
    await until(async () => (await scene.readEpochs()).every((epoch, pid) => epoch > (before[pid] ?? 0)))
    await ownedAgain(scene)
    return { back_ms: limit(scene, faults, 'owning all again', performance.now() - writtenAtMs, 6_000) }
  })

/** No front accepts a revoked key for longer than a second, though no notice can arrive. */
export const revokeWithoutNats = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const [first, second] = scene.cluster.fronts
    if (first === undefined || second === undefined) throw new Error('it takes two fronts')
    const { key, accessToken, workspaceId } = await signUp(first.baseUrl)
    const ask = async (): Promise<number> => {
      const response = await fetch(`${second.baseUrl}/v1/apply/rules`, { headers: { authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      return response.status
    }
    if ((await ask()) !== 200) faults.push('the key was not taken before')
    await scene.nats.kill('SIGKILL')
    const headers = { authorization: `Bearer ${accessToken}` }
    const keys = await fetch(`${first.baseUrl}/v1/keys?workspace_id=${workspaceId}`, { headers })
    const list = (await keys.json()) as { id: string }[]
    const revoked = await fetch(`${first.baseUrl}/v1/keys/${list[0]?.id}`, { method: 'DELETE', headers })
    if (!revoked.ok) faults.push(`revoking was answered ${revoked.status}`)
    const revokedAtMs = performance.now()
    await until(async () => (await ask()) === 401)
    const lastedMs = performance.now() - revokedAtMs
    await scene.nats.restart()
    return { lasted_ms: limit(scene, faults, 'refusing a revoked key', lastedMs, 1_000) }
  })

/** I1, I4, I6 with T = 6.5 s: one owner has lost NATS but still has the database. */
export const cutOffFromNats = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { actor, nats } = scene.remote
    await scene.cluster.balanced()
    let partitions: readonly number[] = []
    // The actor may not have answered in time.
    await until(async () => {
      const owners = await scene.cluster.readOwners()
      partitions = scene.probe.partitions.filter((pid) => owners[pid] === actor)
      return partitions.length > 0
    })
    scene.probe.reset()
    nats.set('silent')
    const isFenced = async (): Promise<boolean> => (await readFence(actor)) === 'echo'
    await until(isFenced)
    await ownedAgain(scene)
    await sleep(300)
    const gap = scene.probe.longestGapMs(partitions)
    nats.set('open')
    await until(async () => (await readFence(actor)) === null)
    return { gap_ms: limit(scene, faults, 'the take-over', gap, 6_500) }
  })

/**
 * One owner has no database while all others have: it gives up the partitions that it cannot write for, and clients get answers throughout.
 */
export const cutOffFromDatabase = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { actor, database } = scene.remote
    await scene.cluster.balanced()
    scene.probe.reset()
    const cutAtMs = performance.now()
    database.set('silent')
    await until(async () => {
      const owners = await scene.cluster.readOwners()
      return owners.every((owner) => owner !== null && owner !== actor)
    })
    const tookMs = performance.now() - cutAtMs
    database.set('open')
    return {
      gap_ms: Math.round(scene.probe.longestGapMs()),
      given_up_ms: limit(scene, faults, 'giving up', tookMs, 20_000),
    }
  })
