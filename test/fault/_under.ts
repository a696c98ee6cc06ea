// Runs a scenario: a load on a cluster, a fault, and the check of the invariants that always hold.
import { setTimeout as sleep } from 'node:timers/promises'
import { suspectAfterMs } from '../../src/actors/owner/failure-probe.ts'
import { watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { mainThreadSeconds } from '../bench/_cpu.ts'
import type { Part, Status } from '../cluster/_part.ts'
import { type Allowed, countLost, judge } from './_judge.ts'
import { type Load, type LoadOptions, lateMs, openLoad } from './_load.ts'
import type { Scene } from './_scene.ts'

export type Result = {
  readonly faults: string[]
  /** By name, which contains the unit. */
  readonly figures: Readonly<Record<string, number>>
}

const warmMs = 500
const answerMs = 60_000

/** Starts the load, runs `act`, stops the load and sends the remaining batches; then checks the invariants that always hold. */
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

/** Returns the longest time of each workspace without an acknowledgement, in whole ms. */
export const tellGaps = (gapsMs: readonly number[]): Record<string, number> =>
  Object.fromEntries(gapsMs.map((gapMs, at) => [`gap_of_workspace_${at + 1}_ms`, Math.round(gapMs)]))

// A measured request passes through several processes in turn, each of which the machine may delay as long as this one.
const processesInARow = 4

/** Returns whether a machine that stood still for `stillMs` may be why a request was answered 503 after `lateMs`. */
export const causesRefusals = (stillMs: number): boolean => processesInARow * stillMs >= lateMs

/**
 * Allows 503 if the machine stood still long enough and every refusal came after the full waiting time. A single earlier refusal has
 * another reason, and then none is excused.
 */
function excuse(load: Load, allowed: Allowed, stillMs: number): Allowed {
  if (!causesRefusals(stillMs)) return allowed
  const isLate = (what: 'ingest' | 'reads', answers: Load['answers']): boolean => load.late[what] === answers['503']
  return {
    ingest: [...(allowed.ingest ?? []), ...(isLate('ingest', load.answers) ? ['503'] : [])],
    reads: [...(allowed.reads ?? []), ...(isLate('reads', load.reads) ? ['503'] : [])],
  }
}

/**
 * Returns the time in whole ms. More than `mostMs` is a fault, except for the time that the machine stood still since the scenario began
 * or since `still` was started, and for `lagMs`, that of the measured parts.
 */
export function limit(
  { still }: Pick<Scene, 'still'>,
  faults: string[],
  what: string,
  tookMs: number,
  mostMs: number,
  lagMs = 0,
): number {
  const stillMs = processesInARow * still.totalMs() + lagMs
  if (tookMs > mostMs + stillMs)
    faults.push(
      `${what} took ${Math.round(tookMs)} ms; allowed are ${mostMs} ms and ${Math.round(stillMs)} ms for the machine`,
    )
  return Math.round(tookMs)
}

/**
 * Starts to measure the event loops of the parts. The result resolves to the longest time in ms for which the machine delayed one of them since
 * then: its longest lag, less all CPU time that its event loop used, since a part that blocks itself is not excused. Waits for a part that does
 * not answer. Nobody else may read the statuses meanwhile.
 */
export async function watchLag(parts: readonly Part[]): Promise<() => Promise<number>> {
  const begin = await Promise.all(parts.map(readLoop))
  return async () => {
    const end = await Promise.all(parts.map(readLoop))
    return Math.max(...end.map(({ lagMs, cpuMs }, at) => lagMs - (cpuMs - (begin[at]?.cpuMs ?? 0))), 0)
  }
}

/** `lagMs`: since the previous call. `cpuMs`: since the part started. */
async function readLoop({ metricsUrl }: Part): Promise<{ readonly lagMs: number; readonly cpuMs: number }> {
  let read: Status | null = null
  // Waits long for one answer: a request that the part answers after it was given up would reset its lag.
  await until(async () => {
    const signal = AbortSignal.timeout(answerMs)
    read = await fetch(`${metricsUrl}/status`, { signal }).then(
      async (response) => (await response.json()) as Status,
      () => null,
    )
    return read !== null
  })
  const { pid, event_loop_lag_ms: lagMs } = read as unknown as Status
  return { lagMs, cpuMs: (mainThreadSeconds(pid) ?? 0) * 1_000 }
}

/** Returns the reason why an actor does not answer; null if it answers, undefined if it is not known. */
export const readFence = async (actor: Part): Promise<string | null | undefined> =>
  (await actor.readStatus().catch(() => null))?.actor?.fence

export const ownedAgain = async ({ cluster }: Scene): Promise<void> =>
  await until(async () => (await cluster.readOwners()).every((owner) => owner !== null))

/** Reads the epochs once the cluster is balanced and no partition is about to move. */
export async function readCalmEpochs(scene: Scene): Promise<number[]> {
  await scene.cluster.balanced()
  scene.probe.reset()
  return await scene.readEpochs()
}

/**
 * I7: epochs are unchanged if no member died. A member that the machine silences for long enough is rightly taken for dead, so nothing is
 * checked then.
 */
export async function listMoved(scene: Scene, epochs: readonly number[]): Promise<string[]> {
  if (scene.still.totalMs() >= suspectAfterMs) return []
  const changed = (await scene.readEpochs()).filter((epoch, pid) => epoch !== epochs[pid]).length
  return changed === 0 ? [] : [`${changed} partitions changed hands although no member died`]
}

/** For a control: returns its result without the expected faults; if none was found, that is a fault. */
export function expectFault({ faults, figures }: Result, expected: RegExp): Result {
  const others = faults.filter((fault) => !expected.test(fault))
  return { faults: others.length < faults.length ? others : [...others, 'the control found nothing'], figures }
}
