// A scenario: load on a cluster, something happens to it, and the invariants that always hold.
import { setTimeout as sleep } from 'node:timers/promises'
import { suspectAfterMs } from '../../src/actors/owner/suspects.ts'
import { watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { type Allowed, countLost, judge } from './_judge.ts'
import { type Load, type LoadOptions, lateMs, openLoad } from './_load.ts'
import type { Scene } from './_scene.ts'

export type Result = {
  readonly faults: string[]
  /** By name, with the unit in it. */
  readonly figures: Readonly<Record<string, number>>
}

const warmMs = 500

/** Load on, something happens, load off and everything sent; then the invariants that always hold. */
export async function under(
  scene: Scene,
  allowed: Allowed,
  act: (load: Load, faults: string[]) => Promise<Record<string, number>>,
  more: Partial<Pick<LoadOptions, 'baseUrl'>> &
    Pick<LoadOptions, 'copies' | 'senders' | 'room' | 'workspaces' | 'capped' | 'isRace' | 'onAnswer'> = {},
): Promise<Result> {
  const { cluster, database, probe, still } = scene
  await cluster.settled()
  const standstill = watchStandstill()
  const load = await openLoad({ baseUrl: cluster.baseUrl, query: database.query, ...more })
  const faults: string[] = []
  let figures: Record<string, number>
  let silenceMs: number
  let gapsMs: readonly number[]
  let stillMs: number
  try {
    await sleep(warmMs)
    probe.reset()
    still.reset()
    load.reset()
    figures = await act(load, faults)
    await cluster.settled()
    silenceMs = load.longestSilenceMs()
    gapsMs = load.longestGapsMs()
    stillMs = still.totalMs()
    await load.finish()
  } finally {
    await load.stop()
    standstill.stop()
  }
  const excused = excuse(load, allowed, standstill.totalMs())
  faults.push(...(await judge(database.query, load, excused)), ...probe.faults)
  const spans = load.tenants.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  return {
    faults,
    figures: {
      ...figures,
      spans,
      ...(await countLost(database.query, load)),
      silence_ms: Math.round(silenceMs),
      ...tellGaps(gapsMs),
      still_ms: Math.round(stillMs),
    },
  }
}

/** The longest time of each workspace without an acknowledgement, in whole ms. */
export const tellGaps = (gapsMs: readonly number[]): Record<string, number> =>
  Object.fromEntries(gapsMs.map((gapMs, at) => [`gap_of_workspace_${at + 1}_ms`, Math.round(gapMs)]))

// What is measured passes through several processes, one after another, each of which the machine may keep waiting as long as this one.
const processesInARow = 4

/**
 * Whoever waited in vain for as long as anybody waits may be told to come again, where the machine stood still for that time. A single
 * refusal that came sooner has another reason, and then none is excused.
 */
function excuse(load: Load, allowed: Allowed, stillMs: number): Allowed {
  if (processesInARow * stillMs < lateMs) return allowed
  const isLate = (what: 'ingest' | 'reads', answers: Load['answers']): boolean => load.late[what] === answers['503']
  return {
    ingest: [...(allowed.ingest ?? []), ...(isLate('ingest', load.answers) ? ['503'] : [])],
    reads: [...(allowed.reads ?? []), ...(isLate('reads', load.reads) ? ['503'] : [])],
  }
}

/** Gives what it took, in whole ms. More than `mostMs` is a fault, but for what the machine did since the scenario began. */
export function limit({ still }: Scene, faults: string[], what: string, tookMs: number, mostMs: number): number {
  const stillMs = processesInARow * still.totalMs()
  if (tookMs > mostMs + stillMs)
    faults.push(
      `${what} took ${Math.round(tookMs)} ms; allowed are ${mostMs} ms and ${Math.round(stillMs)} ms for the machine`,
    )
  return Math.round(tookMs)
}

/** Why an actor does not answer; null where it does, undefined where it is not known. */
export const readFence = async (actor: Part): Promise<string | null | undefined> =>
  (await actor.readStatus().catch(() => null))?.actor?.fence

export const ownedAgain = async ({ cluster }: Scene): Promise<void> =>
  await until(async () => (await cluster.readOwners()).every((owner) => owner !== null))

/** Before which nothing is about to be moved by itself. */
export async function readCalmEpochs(scene: Scene): Promise<number[]> {
  await scene.cluster.balanced()
  scene.probe.reset()
  return await scene.readEpochs()
}

/** I7: epochs as before, where no member died. One that the machine keeps silent for long enough is rightly taken for dead. */
export async function listMoved(scene: Scene, epochs: readonly number[]): Promise<string[]> {
  if (scene.still.totalMs() >= suspectAfterMs) return []
  const changed = (await scene.readEpochs()).filter((epoch, pid) => epoch !== epochs[pid]).length
  return changed === 0 ? [] : [`${changed} partitions changed hands although no member died`]
}

/** Of a control: its result without the faults that it must find; that it finds none is one. */
export function expectFault({ faults, figures }: Result, expected: RegExp): Result {
  const others = faults.filter((fault) => !expected.test(fault))
  return { faults: others.length < faults.length ? others : [...others, 'the control found nothing'], figures }
}
