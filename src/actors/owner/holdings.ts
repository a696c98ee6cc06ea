// The partitions that this process holds, each at its epoch: taken and given up in the database first, then everywhere else.
import { type Transport, Unavailable } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'
import type { Owned } from '../heartbeat.ts'
import type { PartitionTable } from '../partition-table.ts'
import type { EpochStore, Wanted } from './epoch-store.ts'

/** `deposed`: another start owns it, or nobody does. `fenced`: a write found out. `moved`: given up on purpose. */
export type LossReason = 'deposed' | 'fenced' | 'moved'

/** What serves the partitions: `host.ts`. */
export type PartitionServer = {
  own(pid: number, epoch: number): void
  /** Takes no more messages of it; resolves when those taken have been answered. */
  release(pid: number): Promise<void>
  drop(pid: number): void
  /** What is kept in memory may have become wrong meanwhile. */
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
  /** Another member is there to take what is given up. */
  readonly hasHeir: () => boolean
  readonly onLost: (pid: number, reason: LossReason) => void
}

export type Holdings = {
  readonly owned: ReadonlyMap<number, number>
  /** False while it is being given up. */
  has(pid: number): boolean
  /** Gives how many it won; the others are someone else's, or are being written to. Throws Outage. */
  claim(wanted: readonly Wanted[]): Promise<number>
  /** Resolves when they are not served any more. Throws Outage; they are served on then. */
  giveUp(pids: readonly number[]): Promise<void>
  lose(pid: number, reason: LossReason): void
  /** Drops what the table says is not ours any more. */
  review(): void
  readonly counts: () => { readonly claimed: number; readonly claimsLost: number; readonly lost: LossCounts }
}

export type LossCounts = Readonly<Record<LossReason, number>>

const releaseMs = 2_000
/** More than a hand-over takes on a busy machine. */
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

  /** Those who take too long have callers who have gone on. */
  async function drain(pids: readonly number[]): Promise<void> {
    const late = Promise.withResolvers<void>()
    const cancel = clock.after(releaseMs, late.resolve)
    await Promise.race([Promise.all(pids.map((pid) => server.release(pid))), late.promise])
    cancel()
  }

  /** Someone else has each of them and can be asked, or nobody came for them in time. */
  async function taken(parts: readonly Owned[]): Promise<void> {
    const untilMs = clock.nowMs() + lingerMs
    const isOpen = ([pid, epoch]: Owned): boolean => owned.has(pid) && table.get(pid).epoch <= epoch
    while (options.hasHeir() && clock.nowMs() < untilMs && parts.some(isOpen))
      await new Promise<void>((done) => void clock.after(lookMs, done))
  }

  /**
   * From the release on nothing is written here any more, but whoever asks is answered until the next owner can be asked: it tells so
   * when it can. Those who heard it never come back here.
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
        // Someone may have claimed it from us already: the review that follows drops it.
        table.hearOwned(pid, epoch, member, boot)
        owned.set(pid, epoch)
        server.own(pid, epoch)
      }
      claimed += won.length
      claimsLost += wanted.length - won.length
      await transport.flush().catch((error: unknown) => {
        // The heartbeats say it again when there is a connection.
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
