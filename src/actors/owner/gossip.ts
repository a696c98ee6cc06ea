// The messages of one member: sends heartbeats and news of partitions, and receives those of others and its own echo.
import type { Transport } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'
import {
  decodeHeartbeat,
  decodeRouteNews,
  encodeHeartbeat,
  encodeRouteNews,
  type Heartbeat,
  type Owned,
  type RouteNews,
} from '../heartbeat.ts'
import { heartbeatPattern, heartbeatSubject, routeSubject } from '../subjects.ts'

export type GossipOptions = {
  readonly transport: Pick<Transport, 'publish' | 'subscribe' | 'onState' | 'reconnect'>
  readonly clock: Clock
  readonly member: string
  readonly boot: string
  /** The state of this process for the next heartbeat. */
  readonly describeSelf: () => Omit<Heartbeat, 'member' | 'boot' | 'sentAtMs'>
  readonly onEcho: (own: Heartbeat) => void
  readonly onHeartbeat: (other: Heartbeat) => void
  readonly onNews: (news: RouteNews) => void
  /** The connection is up. If it was down before, messages of that time were missed. */
  readonly onUp: (wasDown: boolean) => void
}

export type Gossip = {
  /** Sends a heartbeat now. One is also sent every second. */
  beat(): void
  announce(parts: readonly Owned[], free: boolean): void
  /**
   * Call it every 100 ms with the age of the last echo. Reconnects after 1.8 s without an echo, not counting time in which this process
   * stood still.
   */
  mend(echoAgeMs: number): void
  stop(): void
}

const heartbeatMs = 1_000
const silentMs = 1_800
// If more time passes between two calls of `mend`, this process stood still, and nothing could be received in the rest of it.
const longestStepMs = 300

export function openGossip(options: GossipOptions): Gossip {
  const { transport, clock, member, boot } = options
  let scannedAtMs = clock.nowMs()
  let quietMs = 0
  let isUp = false
  let wasDown = false
  let cancel = (): void => undefined

  function beat(): void {
    cancel()
    cancel = clock.after(heartbeatMs, beat)
    const said = { member, boot, ...options.describeSelf(), sentAtMs: clock.nowMs() }
    transport.publish(heartbeatSubject(member), encodeHeartbeat(said))
  }

  const ends = [
    transport.subscribe(heartbeatPattern, (bytes) => {
      const heartbeat = decodeHeartbeat(bytes)
      if (heartbeat?.boot === boot) options.onEcho(heartbeat)
      else if (heartbeat !== null) options.onHeartbeat(heartbeat)
    }),
    transport.subscribe(routeSubject, (bytes) => {
      const news = decodeRouteNews(bytes)
      if (news !== null && news.boot !== boot) options.onNews(news)
    }),
    transport.onState((state) => {
      isUp = state === 'up'
      wasDown ||= !isUp
      if (!isUp) return
      quietMs = 0
      options.onUp(wasDown)
      beat()
    }),
  ]
  if (!isUp) beat()

  return {
    beat,
    announce(parts, free) {
      if (parts.length > 0) transport.publish(routeSubject, encodeRouteNews({ member, boot, free, parts }))
    },
    mend(echoAgeMs) {
      const nowMs = clock.nowMs()
      quietMs = Math.min(echoAgeMs, quietMs + Math.min(nowMs - scannedAtMs, longestStepMs))
      scannedAtMs = nowMs
      if (!isUp || quietMs < silentMs) return
      quietMs = 0
      transport.reconnect()
    },
    stop() {
      cancel()
      for (const end of ends) end()
    },
  }
}
