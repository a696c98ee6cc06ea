// One member's view of the cluster: which members are live, which owns what, and whether this member itself receives messages.
import type { Transport } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'
import type { Heartbeat, Owned, RouteNews } from '../heartbeat.ts'
import { partitionCount } from '../partition.ts'
import { makePartitionTable, type PartitionRow, type PartitionTable } from '../partition-table.ts'
import { makeToken, operationSubject } from '../subjects.ts'
import { openFailureProbe, type Suspect, suspectAfterMs } from './failure-probe.ts'
import { type Gossip, openGossip } from './gossip.ts'
import { type ClusterMembers, makeClusterMembers } from './members.ts'
import { type FenceReason, makeSelfFence, type SelfFence } from './self-fence.ts'

export type ClusterViewOptions = {
  readonly transport: Transport
  readonly clock: Clock
  readonly member: string
  readonly boot: string
  readonly announceSelf: () => Omit<Heartbeat, 'member' | 'boot' | 'sentAtMs'>
  /** Called after each message from the cluster. */
  readonly onHeard: () => void
  /** Two owners at one epoch were reported: the database must be read. */
  readonly onConflict: () => void
  readonly onClosed: (reason: FenceReason) => void
  /** A configuration error that the operator should know about. */
  readonly onError: (error: Error) => void
}

export type ClusterView = {
  readonly table: PartitionTable
  readonly members: ClusterMembers
  readonly fence: SelfFence
  readonly beat: () => void
  readonly announce: (parts: readonly Owned[], free: boolean) => void
  /** True if the own echo is so recent that silence of other members is meaningful. */
  canHear(): boolean
  /** Records rows that were read from the database at `askedAtMs`, when the table's mark was `mark`. */
  read(rows: readonly PartitionRow[], mark: number, askedAtMs: number): void
  /** Checks the connection and silent owners. Call it often. */
  tick(): void
  stop(): void
}

/**
 * After this process was disconnected, it gives the others this long to reconnect before it takes a missing responder for a dead member.
 */
const comingBackMs = 4_000
/** Longer than the time between two answers of a working database. */
const databaseGapMs = 3_000

export function openClusterView(options: ClusterViewOptions): ClusterView {
  const { transport, clock, member, boot } = options
  const table = makePartitionTable()
  const members = makeClusterMembers()
  const nameClashes = new Set<string>()
  /** The live members at the last answer of the database. */
  let peersAtLastRead = new Set<string>()
  const isSomeoneMissing = (): boolean => [...peersAtLastRead].some((other) => !members.isLive(other, clock.nowMs()))
  const fence = makeSelfFence({ clock, isSomeoneMissing, onClosed: options.onClosed })
  const canHear = (): boolean => fence.echoAgeMs() < suspectAfterMs
  let backAtMs = Number.NEGATIVE_INFINITY
  const canSuspect = (): boolean => canHear() && clock.nowMs() - backAtMs >= comingBackMs

  function hearEcho(own: Heartbeat): void {
    const nowMs = clock.nowMs()
    const deafMs = fence.echoAgeMs() - suspectAfterMs
    // At most 1.5 s of the time between two echoes count as silence of other members: a process that repeatedly stands still for a second
    // still detects dead members, only later. After 3 s it is fenced, and the others get their full time again.
    if (deafMs > 0) members.excuse(fence.mayAnswer() ? deafMs : Number.POSITIVE_INFINITY, nowMs)
    fence.hearEcho(own.sentAtMs)
    members.hear(own, nowMs)
    options.onHeard()
  }

  function hearHeartbeat(other: Heartbeat): void {
    members.hear(other, clock.nowMs())
    // The member leaves on purpose and has nothing left that another one could take over.
    if (other.draining && other.owned.length === 0) peersAtLastRead.delete(other.boot)
    if (other.member === member) reportNameClash(other.boot)
    hearParts({ member: other.member, boot: other.boot, free: false, parts: other.owned })
  }

  function hearParts(news: RouteNews): void {
    members.note(news.member, news.boot, clock.nowMs())
    for (const [pid, epoch] of news.parts) {
      const heard = news.free
        ? table.hearFree(pid, epoch, news.boot)
        : table.hearOwned(pid, epoch, news.member, news.boot)
      if (heard === 'conflict') options.onConflict()
    }
    options.onHeard()
  }

  /** Reports another process with this member's name. Its partitions are safe, but both processes want the same ones. */
  function reportNameClash(other: string): void {
    if (nameClashes.has(other) || fence.reason() === 'starting') return
    nameClashes.add(other)
    options.onError(
      new Error(
        `another process has the same member name, ${member}: set a different TRACEWRIGHT_MEMBER_NAME for each process`,
      ),
    )
  }

  const gossip: Gossip = openGossip({
    transport,
    clock,
    member,
    boot,
    describeSelf: options.announceSelf,
    onEcho: hearEcho,
    onHeartbeat: hearHeartbeat,
    onNews: hearParts,
    onUp(wasDown) {
      members.excuse(Number.POSITIVE_INFINITY, clock.nowMs())
      if (wasDown) backAtMs = clock.nowMs()
    },
  })
  const failureProbe = openFailureProbe({
    transport,
    clock,
    isSuspect: (other) => canSuspect() && listSilent().has(other),
    onDead(other) {
      members.markDead(other)
      options.onHeard()
    },
  })

  function listSilent(): Set<string> {
    const silent = members.list(clock.nowMs()).filter(({ isLive, silentMs }) => isLive && silentMs >= suspectAfterMs)
    return new Set(silent.map((one) => one.boot))
  }

  /** One partition of each silent owner, for probing it. */
  function listSuspects(silent: ReadonlySet<string>): Suspect[] {
    const found = new Map<string, Suspect>()
    for (let pid = 0; pid < partitionCount; pid += 1) {
      const { boot: owner, epoch } = table.get(pid)
      if (owner === null || owner === boot || !silent.has(owner) || found.has(owner)) continue
      found.set(owner, { boot: owner, subject: operationSubject(pid, makeToken(epoch, owner), 'ping') })
    }
    return [...found.values()]
  }

  function isOwner(other: string): boolean {
    for (let pid = 0; pid < partitionCount; pid += 1) if (table.get(pid).boot === other) return true
    return false
  }

  return {
    table,
    members,
    fence,
    beat: gossip.beat,
    announce: gossip.announce,
    canHear,
    read(rows, mark, askedAtMs) {
      const nowMs = clock.nowMs()
      if (fence.databaseAgeMs() >= databaseGapMs) members.excuseDatabases(nowMs)
      fence.hearDatabase(askedAtMs)
      table.take(rows, mark)
      for (const { owner, boot: other } of rows) if (owner !== null && other !== null) members.note(owner, other, nowMs)
      const live = members.list(nowMs).filter((one) => one.isLive && one.boot !== boot && !one.draining)
      peersAtLastRead = new Set(live.map((one) => one.boot))
    },
    tick() {
      fence.mayAnswer()
      gossip.mend(fence.echoAgeMs())
      members.prune(isOwner, clock.nowMs())
      if (!canSuspect() || fence.reason() !== null) return
      const silent = listSilent()
      if (silent.size > 0) failureProbe.ask(listSuspects(silent))
    },
    stop() {
      gossip.stop()
      failureProbe.stop()
    },
  }
}
