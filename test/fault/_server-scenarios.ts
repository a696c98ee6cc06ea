// NATS with several servers: one of them hangs or dies, and the connection between two is cut.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../_kit/until.ts'
import type { MortalDatabase } from './_database.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { openSplitNats } from './_split-nats.ts'
import { limit, listMoved, ownedAgain, type Result, readCalmEpochs, under } from './_under.ts'

export const threeServers: SceneOptions<MortalDatabase> = { natsServers: 3 }

/** I7, I6 with T = 3 s: clients of the lost server connect to another one. The probe is connected to the last one. */
const loseServer =
  (signal: 'SIGSTOP' | 'SIGKILL', awayMs: number) =>
  (scene: Scene): Promise<Result> =>
    under(scene, {}, async (_load, faults) => {
      const epochs = await readCalmEpochs(scene)
      // The gaps without a fault are due to the machine.
      await sleep(2_000)
      const calm = scene.probe.longestGapMs()
      scene.probe.reset()
      const [first] = scene.nats.servers
      await first?.kill(signal)
      await sleep(awayMs)
      const gap = scene.probe.longestGapMs()
      if (signal === 'SIGSTOP') await first?.kill('SIGCONT')
      else await first?.restart()
      await sleep(2_000)
      await ownedAgain(scene)
      faults.push(...(await listMoved(scene, epochs)))
      const more = limit(scene, faults, 'finding another server', Math.max(gap - calm, 0), 3_000)
      return { gap_ms: Math.round(gap), calm_ms: Math.round(calm), more_ms: more }
    })

export const hangServer = loseServer('SIGSTOP', 12_000)
export const killServer = loseServer('SIGKILL', 3_000)

/**
 * Some parts are connected to one server and some to the other; the actor whose connection to the database can be cut is connected to the
 * far server.
 */
export const split: SceneOptions<MortalDatabase> = { openNats: () => openSplitNats(['front-2', 'actor-3']) }

const heardWithinMs = 10_000

/**
 * I1, I4: both halves see the database, and each takes the other for dead; an actor that lost a partition learns it by its next read of the
 * database.
 */
export const cutRoute = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { cluster, nats } = scene
    await cluster.balanced()
    const { route } = nats
    if (route === undefined) throw new Error('there is no way between two servers here')
    const before = await scene.readEpochs()
    route.set('cut')
    await until(async () => (await scene.readEpochs()).some((epoch, pid) => epoch > (before[pid] ?? 0)))
    let dualMs = 0
    let longestMs = 0
    let lookedAtMs = performance.now()
    const untilMs = performance.now() + heardWithinMs
    while (performance.now() < untilMs) {
      const isDual = await hasTwoOwners(scene)
      const nowMs = performance.now()
      dualMs = isDual ? dualMs + nowMs - lookedAtMs : 0
      longestMs = Math.max(longestMs, dualMs)
      lookedAtMs = nowMs
      await sleep(50)
    }
    route.set('open')
    await cluster.balanced()
    return { dual_ms: limit(scene, faults, 'two owners at once', longestMs, 2_000) }
  })

/** The same, and the smaller half has lost the database too: it stops answering 15 s after it last had it. */
export const cutRouteAndDatabase = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { cluster, nats, remote } = scene
    await cluster.balanced()
    if (nats.route === undefined) throw new Error('there is no way between two servers here')
    nats.route.set('cut')
    remote.database.set('silent')
    const cutAtMs = performance.now()
    const readFence = async (): Promise<string | null | undefined> => (await remote.actor.readStatus()).actor?.fence
    await until(async () => (await readFence()) === 'database')
    const blindMs = performance.now() - cutAtMs
    // By now the others own all partitions that it had.
    await ownedAgain(scene)
    remote.database.set('open')
    nats.route.set('open')
    await cluster.balanced()
    return { blind_ms: limit(scene, faults, 'falling silent', blindMs, 16_000) }
  })

/** Returns whether two actors report the same partition at about the same time. */
async function hasTwoOwners({ cluster }: Scene): Promise<boolean> {
  const statuses = await Promise.all(cluster.actors.map((actor) => actor.readStatus().catch(() => null)))
  const owned = statuses.flatMap((status) => (status?.actor?.fence === null ? status.actor.owned : []))
  return new Set(owned.map(([pid]) => pid)).size < owned.length
}
