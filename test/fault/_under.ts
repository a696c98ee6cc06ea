// A scenario: load on a cluster, something happens to it, and the invariants that always hold.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../_kit/until.ts'
import { type Allowed, judge } from './_judge.ts'
import { type Load, type LoadOptions, openLoad } from './_load.ts'
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
  more: Pick<LoadOptions, 'copies' | 'senders' | 'room' | 'workspaces' | 'capped' | 'isRace' | 'onAnswer'> = {},
): Promise<Result> {
  const { cluster, database, probe } = scene
  await cluster.settled()
  const load = await openLoad({ baseUrl: cluster.baseUrl, query: database.query, ...more })
  const faults: string[] = []
  let figures: Record<string, number>
  let silenceMs: number
  // How long this very process stood still, which looks like everybody's silence.
  const lag = monitorEventLoopDelay()
  try {
    await sleep(warmMs)
    probe.reset()
    lag.enable()
    figures = await act(load, faults)
    await cluster.settled()
    silenceMs = load.longestSilenceMs()
    lag.disable()
    await load.finish()
  } finally {
    await load.stop()
  }
  faults.push(...(await judge(database.query, load, allowed)), ...probe.faults)
  const spans = load.tenants.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  return {
    faults,
    figures: { ...figures, spans, silence_ms: Math.round(silenceMs), lag_ms: Math.round(lag.max / 1e6) },
  }
}

/** Gives what it took, in whole ms. */
export function limit(
  { slack }: Pick<Scene, 'slack'>,
  faults: string[],
  what: string,
  tookMs: number,
  mostMs: number,
): number {
  const most = mostMs * slack
  if (tookMs > most) faults.push(`${what} took ${Math.round(tookMs)} ms, and at most ${most} are allowed`)
  return Math.round(tookMs)
}

export const ownedAgain = async ({ cluster }: Scene): Promise<void> =>
  await until(async () => (await cluster.readOwners()).every((owner) => owner !== null), 15_000)

/** Before which nothing is about to be moved by itself. */
export async function readCalmEpochs(scene: Scene): Promise<number[]> {
  await scene.cluster.balanced()
  scene.probe.reset()
  return await scene.readEpochs()
}

/** I7: epochs as before, where no member died. */
export async function listMoved(scene: Scene, epochs: readonly number[]): Promise<string[]> {
  const changed = (await scene.readEpochs()).filter((epoch, pid) => epoch !== epochs[pid]).length
  return changed === 0 ? [] : [`${changed} partitions changed hands although no member died`]
}
