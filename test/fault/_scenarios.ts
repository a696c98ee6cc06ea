// What is done to a cluster, once, under load; each gives what of the invariants did not hold, and what it measured. Tests run each
// one a time, `npm run soak` as often as one wants.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import type { MortalDatabase, SceneDatabase } from './_database.ts'
import { type Allowed, judge } from './_judge.ts'
import { type Load, openLoad } from './_load.ts'
import type { Scene } from './_scene.ts'

export type Result = {
  readonly faults: string[]
  /** By name, with the unit in it. */
  readonly figures: Readonly<Record<string, number>>
}

const warmMs = 500

/** Load on, something happens, load off and everything sent; then the invariants that always hold. */
async function under(
  scene: Scene<SceneDatabase>,
  allowed: Allowed,
  act: (load: Load, faults: string[]) => Promise<Record<string, number>>,
  more: { copies?: number; senders?: number; room?: number } = {},
): Promise<Result> {
  const { cluster, database, probe } = scene
  await cluster.settled()
  const load = await openLoad({ baseUrl: cluster.baseUrl, query: database.query, ...more })
  const faults: string[] = []
  let figures: Record<string, number>
  try {
    await sleep(warmMs)
    probe.reset()
    figures = await act(load, faults)
    await cluster.settled()
    await load.finish()
  } finally {
    await load.stop()
  }
  faults.push(...(await judge(database.query, load, allowed)), ...probe.faults)
  const spans = load.tenants.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  return { faults, figures: { ...figures, spans, silence_ms: Math.round(load.longestSilenceMs()) } }
}

function limit(faults: string[], what: string, value: number, most: number): number {
  if (value > most) faults.push(`${what} took ${Math.round(value)} ms, and at most ${most} are allowed`)
  return Math.round(value)
}

const ownedAgain = async ({ cluster }: Scene<SceneDatabase>): Promise<void> =>
  await until(async () => (await cluster.readOwners()).every((owner) => owner !== null), 15_000)

/** I1-I4, I6 with T = 2.5 s. */
export const killOwner = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { owner, partitions } = await scene.findOwner()
    await owner.end('SIGKILL')
    await ownedAgain(scene)
    await sleep(300)
    const gap = scene.probe.longestGapMs(partitions)
    await owner.start()
    return { gap_ms: limit(faults, 'the take-over', gap, 2_500) }
  })

/** I1-I5; T = 6 s. The owner is frozen until others have what it owned, then goes on: nothing that waited in it is answered. */
export const freezeOwner = (scene: Scene): Promise<Result> =>
  under(scene, { ingest: ['broken'] }, async (_load, faults) => {
    const { owner, partitions } = await scene.findOwner()
    const before = new Map(partitions.map((pid) => [pid, scene.probe.route(pid)] as const))
    const routes = new Map([...before].flatMap(([pid, route]) => (route === null ? [] : [[pid, route] as const])))
    owner.signal('SIGSTOP')
    // Whatever came before that has been answered by now.
    await sleep(50)
    const stale = scene.probe.askStale(routes)
    await until(
      () => partitions.every((pid) => (scene.probe.route(pid)?.epoch ?? 0) > (routes.get(pid)?.epoch ?? 0)),
      15_000,
    )
    await sleep(300)
    const gap = scene.probe.longestGapMs(partitions)
    owner.signal('SIGCONT')
    const { yes, no, silent } = await stale.stop()
    if (yes > 0) faults.push(`the zombie answered ${yes} of ${yes + no + silent} messages`)
    await until(async () => (await owner.readStatus().catch(() => null))?.actor?.fence === null, 15_000)
    return { gap_ms: limit(faults, 'the take-over', gap, 6_000), refused: no, silent }
  })

/** I2, I8 and no read that failed: nothing is to be seen of it. */
export const rollEverything = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (load, faults) => {
    const { cluster, probe } = scene
    for (const part of cluster.parts) await roll(scene, part, faults)
    const failed = load.answers['broken'] ?? 0
    return { gap_ms: Math.round(probe.longestGapMs()), failed }
  })

async function roll({ cluster }: Scene, part: Part, faults: string[]): Promise<void> {
  const code = await part.end('SIGTERM')
  if (code !== 0) faults.push(`${part.name} ended with ${code ?? 'a signal'}`)
  await part.start()
  await cluster.settled()
}

/** SIGTERM of one owner: it hands over. */
export const endOwner = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { owner, partitions } = await scene.findOwner()
    const toldAtMs = performance.now()
    const code = await owner.end('SIGTERM')
    if (code !== 0) faults.push(`it ended with ${code ?? 'a signal'}`)
    const endMs = performance.now() - toldAtMs
    await ownedAgain(scene)
    await sleep(200)
    const gap = scene.probe.longestGapMs(partitions)
    await owner.start()
    return { gap_ms: limit(faults, 'the hand-over', gap, 1_000), end_ms: limit(faults, 'its end', endMs, 5_000) }
  })

/** I7, I8: everything goes on, and nothing changes hands. */
export const stopNats =
  (awayMs: number) =>
  (scene: Scene): Promise<Result> =>
    under(scene, {}, async (load, faults) => {
      const epochs = await scene.readEpochs()
      await scene.nats.kill('SIGKILL')
      const acknowledged = (): number => load.answers['200'] ?? 0
      const before = acknowledged()
      await sleep(awayMs)
      const meanwhile = acknowledged() - before
      if (meanwhile === 0) faults.push('nothing was stored while NATS was away')
      const upAtMs = performance.now()
      await scene.nats.restart()
      await ownedAgain(scene)
      const backMs = performance.now() - upAtMs
      const after = await scene.readEpochs()
      const changed = after.filter((epoch, pid) => epoch !== epochs[pid]).length
      if (changed > 0) faults.push(`${changed} partitions changed hands although no member died`)
      return { back_ms: Math.round(backMs), stored_meanwhile: meanwhile }
    })

/** As before, but what is open stays open and says nothing. */
export const hangNats =
  (awayMs: number) =>
  (scene: Scene): Promise<Result> =>
    under(scene, {}, async (load, faults) => {
      const epochs = await scene.readEpochs()
      await scene.nats.kill('SIGSTOP')
      const before = load.answers['200'] ?? 0
      await sleep(awayMs)
      if ((load.answers['200'] ?? 0) === before) faults.push('nothing was stored while NATS hung')
      const upAtMs = performance.now()
      await scene.nats.kill('SIGCONT')
      await ownedAgain(scene)
      const backMs = performance.now() - upAtMs
      const changed = (await scene.readEpochs()).filter((epoch, pid) => epoch !== epochs[pid]).length
      if (changed > 0) faults.push(`${changed} partitions changed hands although no member died`)
      return { back_ms: Math.round(backMs) }
    })

/** I2, I7, I8: 503 and nothing else while it is away; what was acknowledged has survived. */
export const crashDatabase =
  (awayMs: number) =>
  (scene: Scene<MortalDatabase>): Promise<Result> =>
    under(scene, { ingest: ['503'] }, async (load, faults) => {
      const epochs = await scene.readEpochs()
      await scene.database.kill()
      await sleep(awayMs)
      await scene.database.revive()
      const upAtMs = performance.now()
      const before = load.answers['200'] ?? 0
      await until(() => (load.answers['200'] ?? 0) > before, 20_000)
      const backMs = performance.now() - upAtMs
      const changed = (await scene.readEpochs()).filter((epoch, pid) => epoch !== epochs[pid]).length
      if (changed > 0) faults.push(`${changed} partitions changed hands although no member died`)
      return { gap_ms: Math.round(scene.probe.longestGapMs()), back_ms: Math.round(backMs) }
    })
