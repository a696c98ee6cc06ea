// Whether notices of other processes can reach this one: asked when something is served from memory.
import type { Transport } from '../bus/transport.ts'
import type { Clock } from './clock.ts'
import { heartbeatPattern } from './subjects.ts'

export type Hearing = {
  /** True where a notice would not come. Costs a look at the clock. */
  readonly isDeaf: () => boolean
  stop(): void
}

// Each owner sends a heartbeat a second.
const silentForMs = 3_000

/**
 * Deaf without a connection, and where all heartbeats have stopped, as on a connection that is open and carries nothing. Who has heard none
 * yet has nobody to miss.
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
