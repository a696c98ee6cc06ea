// Whether notices of other processes can reach this one. Checked before something is served from memory.
import type { Transport } from '../bus/transport.ts'
import type { Clock } from './clock.ts'
import { heartbeatPattern } from './subjects.ts'

export type Hearing = {
  /** True if a notice would not arrive. Costs one reading of the clock. */
  readonly isDeaf: () => boolean
  stop(): void
}

// Each owner sends a heartbeat every second.
const silentForMs = 3_000

/**
 * Deaf while the transport is down, and when all heartbeats have stopped, as on a connection that is open but carries nothing. A process
 * that has not received a heartbeat yet is not deaf for lack of them.
 */
export function openHearing(transport: Pick<Transport, 'subscribe' | 'onState'>, clock: Pick<Clock, 'nowMs'>): Hearing {
  let isUp = true
  let heardAtMs = Number.POSITIVE_INFINITY
  const ends = [
    transport.onState((state) => {
      isUp = state === 'up'
    }),
    transport.subscribe(heartbeatPattern, () => {
      heardAtMs = clock.nowMs()
    }),
  ]
  return {
    isDeaf: () => !isUp || clock.nowMs() - heardAtMs >= silentForMs,
    stop() {
      for (const end of ends) end()
    },
  }
}
