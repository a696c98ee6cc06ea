// An actor host that owns all partitions, and the routes to it, for tests of requests to actors.
import { type Clock, monotonicClock } from '../../src/actors/clock.ts'
import type { ActorHost } from '../../src/actors/host.ts'
import { partitionCount } from '../../src/actors/partition.ts'
import type { RouteTable } from '../../src/actors/route-table.ts'
import { makeToken } from '../../src/actors/subjects.ts'

export function ownEverything(host: Pick<ActorHost, 'own'>, epoch: number): void {
  for (let pid = 0; pid < partitionCount; pid += 1) host.own(pid, epoch)
}

/** Routes in which every partition always has the same owner. */
export const fixedRoutes = (
  epoch: number,
  boot: string,
  token: string = makeToken(epoch, boot),
): Pick<RouteTable, 'get' | 'watch' | 'changed'> => ({
  get: () => ({ token, epoch }),
  watch: () => () => undefined,
  changed: () => Promise.resolve(false),
})

/** The real time. Its timers keep the process of the test alive. */
export const wakefulClock: Clock = {
  nowMs: monotonicClock.nowMs,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
