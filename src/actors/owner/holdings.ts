// The partitions that this process holds, each at its epoch. Claims and releases take effect in the database first, then everywhere else.
import { type Transport, Unavailable } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'
import type { Owned } from '../heartbeat.ts'
import type { PartitionTable } from '../partition-table.ts'
import type { EpochStore, WantedPartition } from './epoch-store.ts'

/** `deposed`: another process start owns it, or it is free. `fenced`: the database rejected a write. `moved`: given up on purpose. */
export type LossReason = 'deposed' | 'fenced' | 'moved'

/** The part that serves the partitions: `host.ts`. */
export type PartitionServer = {
  own(pid: number, epoch: number): void
  /** Accepts no more messages for the partition; resolves when the accepted ones have been answered. */
  release(pid: number): Promise<void>
  drop(pid: number): void
  /** Drops all data kept in memory, which may have become wrong. */
  forget(): void
}

export type HoldingsOptions = {
  readonly transport: Pick<Transport, 'flush'>
  readonly epochs: EpochStore
  readonly member: string
  readonly boot: string
  readonly clock: Clock
  readonly table: PartitionTable
  readonly server: PartitionServer
  readonly announce: (parts: readonly Owned[], free: boolean) => void
  /** True if another member can take over partitions that are given up. */
  readonly hasSuccessor: () => boolean
  readonly onLost: (pid: number, reason: LossReason) => void
}

export type Holdings = {
  readonly owned: ReadonlyMap<number, number>
  /** False while the partition is being given up. */
  has(pid: number): boolean
  /** Returns how many partitions were won; the others belong to another member or have a write in progress. Throws Outage. */
  claim(wanted: readonly WantedPartition[]): Promise<number>
  /** Resolves when the partitions are no longer served. Throws Outage; the partitions are then still served. */
  giveUp(pids: readonly number[]): Promise<void>
  lose(pid: number, reason: LossReason): void
  /** Drops partitions that the table no longer assigns to this process. */
  review(): void
  readonly counts: () => { readonly claimed: number; readonly claimsLost: number; readonly lost: LossCounts }
}

export type LossCounts = Readonly<Record<LossReason, number>>

const releaseMs = 2_000
/** Longer than a hand-over takes on a busy machine. */
const lingerMs = 500
const lookMs = 10

export function makeHoldings(options: HoldingsOptions): Holdings {
  const { transport, epochs, member, boot, clock, table, server } = options
  const owned = new Map<number, number>()
  const releasing = new Set<number>()
  const lost: Record<LossReason, number> = { deposed: 0, fenced: 0, moved: 0 }
  let claimed = 0
  let claimsLost = 0

  function lose(pid: number, reason: LossReason): void {
    if (!owned.delete(pid)) return
    server.drop(pid)
    lost[reason] += 1
    options.onLost(pid, reason)
  }

  /** Waits for 2 s at most: after that, callers no longer wait for their answers. */
  async function drain(pids: readonly number[]): Promise<void> {
    const late = Promise.withResolvers<void>()
    const cancel = clock.after(releaseMs, late.resolve)
    await Promise.race([Promise.all(pids.map((pid) => server.release(pid))), late.promise])
    cancel()
  }

  /** Resolves when every partition has a new owner that can be reached, or when the time is up. */
  async function taken(parts: readonly Owned[]): Promise<void> {
    const untilMs = clock.nowMs() + lingerMs
    const isOpen = ([pid, epoch]: Owned): boolean => owned.has(pid) && table.get(pid).epoch <= epoch
    while (options.hasSuccessor() && clock.nowMs() < untilMs && parts.some(isOpen))
      await new Promise<void>((done) => void clock.after(lookMs, done))
  }

  /**
   * From the release on, this process writes nothing for the partitions, but answers requests until the next owner announces that it can.
   * Callers that received the announcement do not return here.
   */
  async function giveUp(pids: readonly number[]): Promise<void> {
    const parts = pids.flatMap((pid): Owned[] => {
      const epoch = owned.get(pid)
      return epoch === undefined ? [] : [[pid, epoch]]
    })
    for (const [pid] of parts) releasing.add(pid)
    try {
      await epochs.release(boot, parts)
      for (const [pid, epoch] of parts) table.hearFree(pid, epoch, boot)
      options.announce(parts, true)
      await taken(parts)
      await drain(parts.map(([pid]) => pid))
      for (const [pid, epoch] of parts) if (owned.get(pid) === epoch) lose(pid, 'moved')
    } finally {
      for (const [pid] of parts) releasing.delete(pid)
    }
  }

  return {
    owned,
    has: (pid) => owned.has(pid) && !releasing.has(pid),
    async claim(wanted) {
      const won = await epochs.claim(member, boot, wanted)
      for (const [pid, epoch] of won) {
        // Another process may have claimed the partition already; the next review then drops it.
        table.hearOwned(pid, epoch, member, boot)
        owned.set(pid, epoch)
        server.own(pid, epoch)
      }
      claimed += won.length
      claimsLost += wanted.length - won.length
      await transport.flush().catch((error: unknown) => {
        // The heartbeats repeat the announcement when there is a connection.
        if (!(error instanceof Unavailable)) throw error
      })
      options.announce(won, false)
      return won.length
    },
    giveUp,
    lose,
    review() {
      for (const [pid, epoch] of owned) {
        const known = table.get(pid)
        if (!releasing.has(pid) && (known.epoch !== epoch || known.boot !== boot)) lose(pid, 'deposed')
      }
    },
    counts: () => ({ claimed, claimsLost, lost: { ...lost } }),
  }
}
