// A host that owns everything, and the routes to it, for tests of what goes through actors.
import { type Clock, monotonicClock } from '../../src/actors/clock.ts'
import type { ActorHost } from '../../src/actors/host.ts'
import { partitionCount } from '../../src/actors/partition.ts'
import type { RouteTable } from '../../src/actors/route-table.ts'
import { makeToken } from '../../src/actors/subjects.ts'

export function ownEverything(host: Pick<ActorHost, 'own'>, epoch: number): void {
  for (let pid = 0; pid < partitionCount; pid += 1) host.own(pid, epoch)
}

/** Every partition has the same owner, for ever. */
export const fixedRoutes = (
  epoch: number,
  boot: string,
  token: string = makeToken(epoch, boot),
): Pick<RouteTable, 'get' | 'watch' | 'changed'> => ({
  get: () => ({ token, epoch }),
  watch: () => () => undefined,
  changed: () => Promise.resolve(false),
})

/** The real time; a test that waits for one of its timers is not over. */
export const wakefulClock: Clock = {
  nowMs: monotonicClock.nowMs,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
