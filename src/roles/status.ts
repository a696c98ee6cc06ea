// The status of one process and its view of the cluster, for people and for the status command.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ActorRole } from './actor.ts'
import type { AppContext } from './app-context.ts'
import type { FrontRole } from './front.ts'

const resolutionMs = 20

/** The reported lag of the event loop is the maximum since the previous call. */
export function openStatus(
  { config, bus }: Pick<AppContext, 'config' | 'bus'>,
  front: Pick<FrontRole, 'describe'> | null,
  actor: Pick<ActorRole, 'describe'> | null,
): () => object {
  const lag = monitorEventLoopDelay({ resolution: resolutionMs })
  lag.enable()
  return () => {
    // On an idle loop the monitor measures its own timer interval.
    const lagMs = Math.max(0, Math.round(lag.max / 1e6) - resolutionMs)
    lag.reset()
    return {
      member: bus.member,
      boot: bus.boot,
      pid: process.pid,
      roles: config.ROLES,
      uptime_s: Math.round(process.uptime()),
      event_loop_lag_ms: lagMs,
      rss_bytes: process.memoryUsage.rss(),
      front: front === null ? null : describeFront(front),
      actor: actor === null ? null : describeActor(actor),
    }
  }
}

function describeFront({ describe }: Pick<FrontRole, 'describe'>): object {
  const { routesKnown, breakersOpen, isDatabaseAway } = describe()
  return { routes_known: routesKnown, breakers_open: breakersOpen, database_away: isDatabaseAway }
}

/** An age is null if nothing was received yet. */
function describeActor({ describe }: Pick<ActorRole, 'describe'>): object {
  const status = describe()
  return {
    ready: status.isReady,
    draining: status.isDraining,
    fence: status.fence,
    fences: status.fences,
    echo_age_ms: roundAge(status.echoAgeMs),
    database_age_ms: roundAge(status.databaseAgeMs),
    orphans: status.orphans,
    claimed: status.claimed,
    claims_lost: status.claimsLost,
    lost: status.lost,
    /** [partition, epoch] */
    owned: status.owned,
    members: status.members.map(({ name, boot, isLive, ready, draining, pgOk, silentMs }) => ({
      name,
      boot,
      live: isLive,
      ready,
      draining,
      database_ok: pgOk,
      silent_ms: Math.round(silentMs),
    })),
  }
}

const roundAge = (ageMs: number): number | null => (Number.isFinite(ageMs) ? Math.round(ageMs) : null)
