// Faults of the processes of a cluster, each once, under load. Each scenario returns the violated invariants and its measurements.
import { setTimeout as sleep } from 'node:timers/promises'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import type { Load } from './_load.ts'
import type { Mutation } from './_mutant.ts'
import type { Scene } from './_scene.ts'
import { limit, listMoved, ownedAgain, type Result, readCalmEpochs, readFence, under } from './_under.ts'

// An owner is declared dead 5 s after its last heartbeat.
const longestPauseMs = 3_000

/** For the control of `freezeOwner`. */
export const withoutFence: Mutation = {
  file: 'src/actors/host.ts',
  from: "if (!isOwner(partition, epoch)) return { ok: false, code: 'not_owner' }\n    return options.mayAnswer() ? null : { ok: false, code: 'fenced' }",
  to: 'return null',
}

/** For the control of `raceForQuotaOnly`. */
export const withoutLock: Mutation = {
  file: 'sql/query/ingest/lock-usage-month.sql',
  from: 'for no key update',
  to: '',
}

/** I1-I4, I6 with T = 2.5 s. */
export const killOwner = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { owner, partitions } = await scene.findOwner()
    await owner.end('SIGKILL')
    await ownedAgain(scene)
    await sleep(300)
    const gap = scene.probe.longestGapMs(partitions)
    await owner.start()
    return { gap_ms: limit(scene, faults, 'the take-over', gap, 2_500) }
  })

/**
 * I1-I5; T = 6 s. The owner is frozen until others have taken its partitions, then continues: it answers none of the requests that waited
 * in it.
 */
export const freezeOwner = (scene: Scene): Promise<Result> =>
  under(scene, { ingest: ['broken'] }, async (_load, faults) => {
    const { owner, partitions } = await scene.findOwner()
    const before = new Map(partitions.map((pid) => [pid, scene.probe.route(pid)] as const))
    const routes = new Map([...before].flatMap(([pid, route]) => (route === null ? [] : [[pid, route] as const])))
    owner.signal('SIGSTOP')
    // Requests sent before that are answered by now.
    await sleep(50)
    const stale = scene.probe.askStale(routes)
    await until(() => partitions.every((pid) => (scene.probe.route(pid)?.epoch ?? 0) > (routes.get(pid)?.epoch ?? 0)))
    await sleep(300)
    const gap = scene.probe.longestGapMs(partitions)
    owner.signal('SIGCONT')
    const { yes, no, silent } = await stale.stop()
    if (yes > 0) faults.push(`the zombie answered ${yes} of ${yes + no + silent} messages`)
    await until(async () => (await readFence(owner)) === null)
    return { gap_ms: limit(scene, faults, 'the take-over', gap, 6_000), refused: no, silent }
  })

/** I2, I8 and no failed read: clients notice nothing. */
export const rollEverything = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (load, faults) => {
    const { cluster, probe } = scene
    for (const part of cluster.parts) await roll(scene, part, faults)
    const failed = load.answers['broken'] ?? 0
    return { gap_ms: Math.round(probe.longestGapMs()), failed }
  })

async function roll({ cluster }: Scene, part: Part, faults: string[]): Promise<void> {
  const code = await cluster.endInOrder(part)
  if (code !== 0) faults.push(`${part.name} ended with ${code ?? 'a signal'}`)
  await part.start()
  await cluster.settled()
}

/** SIGTERM of one owner: it hands over its partitions. */
export const endOwner = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    await scene.cluster.balanced()
    const { owner } = await scene.findOwner()
    return await end(scene, owner, faults)
  })

/** The same beside a member that was frozen until others took over: it may take the partitions that are handed over, and no others yet. */
export const endBesideThawed = (scene: Scene): Promise<Result> =>
  under(scene, { ingest: ['broken'] }, async (_load, faults) => {
    await scene.cluster.balanced()
    const { owner: frozen, partitions } = await scene.findOwner()
    const epochs = await scene.readEpochs()
    frozen.signal('SIGSTOP')
    const isTaken = (pid: number): boolean => (scene.probe.route(pid)?.epoch ?? 0) > (epochs[pid] ?? 0)
    await until(() => partitions.every(isTaken))
    frozen.signal('SIGCONT')
    await until(async () => (await readFence(frozen)) === null)
    const owner = scene.cluster.actors.find((one) => one !== frozen)
    if (owner === undefined) throw new Error('it takes two actors')
    return await end(scene, owner, faults)
  })

async function end(scene: Scene, owner: Part, faults: string[]): Promise<Record<string, number>> {
  const owners = await scene.cluster.readOwners()
  scene.probe.reset()
  const toldAtMs = performance.now()
  const code = await owner.end('SIGTERM')
  if (code !== 0) faults.push(`it ended with ${code ?? 'a signal'}`)
  const endMs = performance.now() - toldAtMs
  await ownedAgain(scene)
  await sleep(200)
  const { given = [], kept = [] } = Object.groupBy(scene.probe.partitions, (pid) =>
    owners[pid] === owner ? 'given' : 'kept',
  )
  const gap = scene.probe.longestGapMs(given)
  // Gaps of partitions that are not affected are due to the machine.
  const calm = scene.probe.longestGapMs(kept)
  await owner.start()
  return {
    gap_ms: Math.round(gap),
    calm_ms: Math.round(calm),
    more_ms: limit(scene, faults, 'the hand-over', Math.max(gap - calm, 0), 200),
    end_ms: limit(scene, faults, 'its end', endMs, 5_000),
  }
}

/**
 * I7: two seconds of silence do not count as a death. If the machine makes the pause longer, the scenario has not tested this, and it is
 * repeated.
 */
export const freezeShortly = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    for (let attempt = 1; ; attempt += 1) {
      const epochs = await readCalmEpochs(scene)
      const { owner } = await scene.findOwner()
      const stoppedAtMs = performance.now()
      owner.signal('SIGSTOP')
      await sleep(2_000)
      owner.signal('SIGCONT')
      const frozenMs = Math.round(performance.now() - stoppedAtMs)
      if (frozenMs > longestPauseMs && attempt < 5) continue
      await ownedAgain(scene)
      faults.push(...(await listMoved(scene, epochs)))
      const gap = limit(scene, faults, 'the pause', scene.probe.longestGapMs() - frozenMs, 1_500)
      return { frozen_ms: frozenMs, more_ms: gap }
    }
  })

/** I1, I2: clients do not know the outcome of requests in flight, send them again, and each batch is sent to two fronts at once. */
export const killFront = (scene: Scene): Promise<Result> =>
  under(
    scene,
    { ingest: ['broken'], reads: ['broken'] },
    async () => {
      const [front] = scene.cluster.fronts
      await front?.end('SIGKILL')
      await sleep(300)
      await front?.start()
      return {}
    },
    { copies: 2, senders: 4 },
  )

// Enough that `act` begins before all of them are used up.
const quotas = inSoak(4, 8)

/** I1: many senders race for the last spans of one quota after another, beside `act`. */
const race = (scene: Scene, act: (load: Load, faults: string[]) => Promise<Record<string, number>>): Promise<Result> =>
  under(
    scene,
    { ingest: ['broken'] },
    async (load, faults) => {
      const figures = await act(load, faults)
      await until(() => load.capped.every(({ acknowledged }) => acknowledged.size > load.room * 2))
      return figures
    },
    { room: 190, senders: 12, workspaces: quotas + 1, capped: quotas, isRace: true },
  )

/** The race while an owner is killed, which is not started again: for the last scenario of a cluster. */
export const raceForQuotaAtLast = (scene: Scene, killed: Part[] = []): Promise<Result> =>
  race(scene, async (load, faults) => {
    const { owner } = await scene.findOwner()
    killed.push(owner)
    const left = load.capped.filter(({ acknowledged }) => acknowledged.size < load.room).length
    await owner.end('SIGKILL')
    if (left === 0) faults.push('every quota was used up before the owner was killed')
    return { quotas_left: left }
  })

/** The race while an owner is killed. */
export const raceForQuota = async (scene: Scene): Promise<Result> => {
  const killed: Part[] = []
  const result = await raceForQuotaAtLast(scene, killed)
  // Only now, since starting the owner needs the machine.
  for (const owner of killed) await owner.start()
  return result
}

/** The race alone. */
export const raceForQuotaOnly = (scene: Scene): Promise<Result> => race(scene, () => Promise.resolve({}))
