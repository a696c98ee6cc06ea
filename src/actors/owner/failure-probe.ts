// Detects dead owners fast: their heartbeats have stopped, and nothing responds on the subjects of their partitions.
import { NoResponders, type Transport } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'

/** An owner that has been silent for 1.5 s, and the subject on which it should answer. */
export type Suspect = { readonly boot: string; readonly subject: string }

export type FailureProbeOptions = {
  readonly transport: Pick<Transport, 'request'>
  readonly clock: Clock
  /** Checked after each probe: the owner is still silent, and this process receives messages. */
  readonly isSuspect: (boot: string) => boolean
  readonly onDead: (boot: string) => void
}

export type FailureProbe = {
  /** Starts probing the suspects that are not being probed yet. */
  ask(suspects: readonly Suspect[]): void
  stop(): void
}

export const suspectAfterMs = 1_500
const probes = 3
const probeTimeoutMs = 200
const betweenMs = 80
// An owner that answers or hangs is not probed again for a while.
const restMs = 500
const nothing = new Uint8Array()

/**
 * Declares an owner dead after three probes without a responder, 80 ms apart. An owner whose connection is just being reopened gives the
 * same result, but not for so long.
 */
export function openFailureProbe({ transport, clock, isSuspect, onDead }: FailureProbeOptions): FailureProbe {
  const asking = new Map<string, () => void>()

  async function probe({ boot, subject }: Suspect, missed: number): Promise<void> {
    const isThere = await transport.request(subject, nothing, { timeoutMs: probeTimeoutMs }).then(
      () => true,
      // A timeout proves nothing, nor does a lost connection of this process.
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
