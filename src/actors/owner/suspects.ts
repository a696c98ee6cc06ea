// The fast way to find a dead owner: nothing heard of it, and nobody there to answer for what it owned.
import { NoResponders, type Transport } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'

/** An owner of whom nothing was heard for 1.5 s, and the subject on which it should answer. */
export type Suspect = { readonly boot: string; readonly subject: string }

export type SuspectsOptions = {
  readonly transport: Pick<Transport, 'request'>
  readonly clock: Clock
  /** Asked before each probe: the owner is still silent, and this process can hear. */
  readonly isSuspect: (boot: string) => boolean
  readonly onDead: (boot: string) => void
}

export type Suspects = {
  /** Begins to ask for those that are not being asked for yet. */
  ask(suspects: readonly Suspect[]): void
  stop(): void
}

export const suspectAfterMs = 1_500
const probes = 3
const probeTimeoutMs = 200
const betweenMs = 80
// Whoever answers, or hangs, is left alone for a while.
const restMs = 500
const nothing = new Uint8Array()

/** Three times "nobody there", 80 ms apart: a connection that is just being made again answers the same, but not for so long. */
export function openSuspects({ transport, clock, isSuspect, onDead }: SuspectsOptions): Suspects {
  const asking = new Map<string, () => void>()

  async function probe({ boot, subject }: Suspect, missed: number): Promise<void> {
    const isThere = await transport.request(subject, nothing, { timeoutMs: probeTimeoutMs }).then(
      () => true,
      // A timeout says nothing, and neither does a connection of our own that is down.
      (error: unknown) => !(error instanceof NoResponders),
    )
    if (!asking.has(boot)) return
    if (isThere || !isSuspect(boot)) return rest(boot)
    if (missed + 1 >= probes) {
      asking.delete(boot)
      return onDead(boot)
    }
    asking.set(
      boot,
      clock.after(betweenMs, () => void probe({ boot, subject }, missed + 1)),
    )
  }

  function rest(boot: string): void {
    asking.set(
      boot,
      clock.after(restMs, () => asking.delete(boot)),
    )
  }

  return {
    ask(suspects) {
      for (const suspect of suspects) {
        if (asking.has(suspect.boot)) continue
        asking.set(suspect.boot, () => undefined)
        void probe(suspect, 0)
      }
    },
    stop() {
      for (const cancel of asking.values()) cancel()
      asking.clear()
    },
  }
}
