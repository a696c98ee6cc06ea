// Decides when this process claims partitions, when it may answer for them, and when it hands them over.
import { Outage } from '../../base/fault.ts'
import type { Transport } from '../../bus/transport.ts'
import type { Clock } from '../clock.ts'
import { isMemberName, type Owned } from '../heartbeat.ts'
import { partitionOf } from '../partition.ts'
import type { Holding } from '../partition-table.ts'
import { openClusterView } from './cluster-view.ts'
import type { EpochStore } from './epoch-store.ts'
import type { Fence } from './fenced.ts'
import { type LossCounts, type LossReason, makeHoldings, type PartitionServer } from './holdings.ts'
import type { ClusterMember } from './members.ts'
import { makePlacement } from './placement.ts'
import { countOrphans, makeClaimPlanner, planMoves } from './plan-partitions.ts'
import type { FenceReason } from './self-fence.ts'

export type OwnershipOptions = {
  readonly transport: Transport
  readonly epochs: EpochStore
  /** Stable across restarts, so that the member gets the same partitions again. One word. */
  readonly member: string
  /** Random, and new with each start. One word. */
  readonly boot: string
  readonly clock: Clock
  /** A lock ensures that no other process uses the database, so this one never waits for others. */
  readonly isAlone: boolean
  readonly server: PartitionServer
  readonly onLost: (pid: number, reason: LossReason) => void
  readonly onFenceClosed: (reason: FenceReason) => void
  /** Also called for outages: they pass, and what failed is retried. */
  readonly onError: (error: unknown) => void
}

export type OwnershipStatus = {
  readonly member: string
  readonly boot: string
  /** The member has finished its start and may be given partitions. */
  readonly isReady: boolean
  readonly isDraining: boolean
  /** Null: it answers. */
  readonly fence: FenceReason | null
  readonly fences: Readonly<Record<FenceReason, number>>
  readonly echoAgeMs: number
  readonly databaseAgeMs: number
  readonly owned: readonly Owned[]
  /** Partitions without a live owner, as far as this process knows. */
  readonly orphans: number
  readonly members: readonly ClusterMember[]
  readonly claimed: number
  readonly claimsLost: number
  readonly lost: LossCounts
}

export type Ownership = {
  /** Checked for every message, when it arrives and before it is answered. */
  readonly mayAnswer: () => boolean
  /** True if this process owns the partition of the workspace and may act on it. */
  isOwned(workspaceId: string): boolean
  /** The fence for a write for the workspace (`fenced.ts`); null if its partition is not owned. */
  fenceOf(workspaceId: string): Fence | null
  readonly holding: (pid: number) => Holding
  /** The database rejected a fenced write. Data of the partition is dropped, unless it has been claimed again since. */
  readonly reportFenced: (refused: Fence) => void
  describe(): OwnershipStatus
  /** Resolves when the start is complete and free partitions are claimed. Waits for a connection and for the database. */
  readonly settled: Promise<void>
  /** Hands all partitions over, for at most 5 s, and ends. */
  stop(): Promise<void>
}

const tickMs = 100
// While the database is unavailable, fronts trust the keys that they know for half a second, and then only if all owners report by that
// time that it is unavailable or silent. Ownership changes only after a longer silence.
const pollMs = 300
const silentDatabaseMs = 600
const staleDatabaseMs = 5_000
const settleMs = 1_500
const togetherMs = 200
const settleAfterFenceMs = 5_000
const stableMs = 10_000
const claimAgainMs = 100
const claimChunk = 64
const moveChunk = 16
const moveWaitMs = 2_000
const drainChunk = 32
const drainMs = 5_000

/** Runs from here on. Owns nothing until it has received its own echo and read the database. */
export function openOwnership(options: OwnershipOptions): Ownership {
  const { epochs, member, boot, clock, server } = options
  if (![member, boot].every((name) => isMemberName(name)))
    throw new Error(`the member name must be one word, not ${member}`)
  const claims = makeClaimPlanner()
  const settled = Promise.withResolvers<void>()
  let placement = makePlacement([])
  let placed: readonly string[] = []
  let isReady = false
  let isDraining = false
  let isStopped = false
  let settledAtMs = Number.POSITIVE_INFINITY
  let pollAtMs = clock.nowMs()
  let claimAtMs = clock.nowMs()
  let movedAtMs = Number.NEGATIVE_INFINITY
  let moved: readonly number[] = []
  let isDatabaseAway = false
  let isAnswering = true
  let running: Promise<void> | null = null
  let isAgain = false

  const tell = (ready: boolean, pgOk: boolean) => ({ ready, draining: isDraining, pgOk, pgAnswers: isAnswering })
  const isOver = (): boolean => isStopped
  const askSoon = (): void => void (pollAtMs = Math.min(pollAtMs, clock.nowMs()))
  const isDatabaseOk = (): boolean => !isDatabaseAway && view.fence.databaseAgeMs() < staleDatabaseMs
  const view = openClusterView({
    ...options,
    // The first heartbeat is sent before `fence` and `holdings` are set.
    announceSelf: () =>
      isReady
        ? { ...tell(fence.mayAnswer(), isDatabaseOk()), owned: [...holdings.owned] }
        : { ...tell(false, true), owned: [] },
    onHeard() {
      holdings.review()
      kick()
    },
    onConflict: askSoon,
    onClosed(reason) {
      server.forget()
      options.onFenceClosed(reason)
    },
  })
  const { table, members, fence } = view
  const holdings = makeHoldings({ ...options, table, announce: view.announce, hasSuccessor: hasHeir })

  function hasHeir(): boolean {
    return members.standing(clock.nowMs()).names.some((name) => name !== member)
  }

  /** One run at a time. Changes during a run are handled by the next one. */
  function kick(): void {
    if (isStopped) return
    isAgain = running !== null
    if (isAgain) return
    running = run()
      .catch((error: unknown) => {
        if (error instanceof Outage) hearDatabase(true)
        pollAtMs = clock.nowMs() + pollMs
        claimAtMs = Math.max(claimAtMs, pollAtMs)
        options.onError(error)
      })
      .finally(() => {
        running = null
        if (isAgain) kick()
      })
  }

  async function run(): Promise<void> {
    const reason = fence.reason()
    // After a failed run, not before the next attempt is due; claims wait for the same time.
    const canReopen = reason !== null && view.canHear() && clock.nowMs() >= claimAtMs
    if (canReopen || clock.nowMs() >= pollAtMs) await poll()
    // A process that was fenced only because of the database has received all messages meanwhile, and need not settle again.
    if (canReopen && fence.reopen() && reason !== 'database') beginToSettle()
    if (!isReady && fence.mayAnswer() && clock.nowMs() >= settledAtMs) {
      isReady = true
      // Members that started at the same time become ready too, so that no single one claims everything and hands it over again.
      claimAtMs = clock.nowMs() + (options.isAlone ? 0 : togetherMs)
      view.beat()
    }
    await claim()
    await move()
  }

  async function poll(): Promise<void> {
    const askedAtMs = clock.nowMs()
    const mark = table.mark()
    const rows = await epochs.list()
    pollAtMs = askedAtMs + pollMs
    view.read(rows, mark, askedAtMs)
    hearDatabase(false)
    holdings.review()
  }

  /** A change is reported to the others at once. */
  function hearDatabase(isAway: boolean): void {
    const wasAnswering = isAnswering
    isDatabaseAway = isAway
    isAnswering = !isAway && (!isReady || view.fence.databaseAgeMs() < silentDatabaseMs)
    if (wasAnswering !== isAnswering) view.beat()
  }

  /** A process that received nothing knows nothing about the others: it listens for a while before it takes over partitions. */
  function beginToSettle(): void {
    const waitMs = isReady ? settleAfterFenceMs : settleMs
    settledAtMs = clock.nowMs() + (options.isAlone ? 0 : waitMs)
    view.beat()
  }

  const isSettled = (): boolean => isReady && clock.nowMs() >= settledAtMs

  /** Whether this process may claim free partitions. After a period without messages it may do so as soon as it receives again. */
  const canTake = (): boolean =>
    isReady && !isDraining && !isStopped && fence.mayAnswer() && view.canHear() && isDatabaseOk()

  function know() {
    const standing = members.standing(clock.nowMs())
    if (standing.names !== placed) {
      placed = standing.names
      placement = makePlacement(placed)
    }
    return { standing, known: { member, boot, table, members, placement, owned: holdings.owned } }
  }

  async function claim(): Promise<void> {
    if (!canTake() || clock.nowMs() < claimAtMs) return
    const { standing, known } = know()
    const wanted = claims.plan(known, clock.nowMs(), !isSettled())
    for (let at = 0; at < wanted.length && canTake(); at += claimChunk) {
      const chunk = wanted.slice(at, at + claimChunk)
      if ((await holdings.claim(chunk)) === chunk.length) continue
      claimAtMs = clock.nowMs() + claimAgainMs
      askSoon()
    }
    holdings.review()
    if (standing.names.includes(member)) settled.resolve()
  }

  /** Hands over one chunk at a time, and the next when the last has been claimed. */
  async function move(): Promise<void> {
    const nowMs = clock.nowMs()
    const { standing, known } = know()
    const isStable = standing.names.includes(member) && nowMs - standing.sinceMs >= stableMs
    const isWaiting = nowMs - movedAtMs < moveWaitMs && moved.some((pid) => table.get(pid).boot === null)
    if (!canTake() || !isSettled() || !isStable || isWaiting) return
    moved = planMoves(known, moveChunk)
    if (moved.length === 0) return
    movedAtMs = nowMs
    await holdings.giveUp(moved)
  }

  async function drain(): Promise<void> {
    isDraining = true
    view.beat()
    await running
    const pids = [...holdings.owned.keys()]
    for (let at = 0; at < pids.length && !isOver(); at += drainChunk)
      await holdings.giveUp(pids.slice(at, at + drainChunk))
    view.beat()
  }

  function tick(): void {
    cancelTick = clock.after(tickMs, tick)
    hearDatabase(isDatabaseAway)
    view.tick()
    kick()
  }
  let cancelTick = clock.after(tickMs, tick)

  const has = (pid: number): boolean => holdings.has(pid) && fence.mayAnswer()
  return {
    mayAnswer: fence.mayAnswer,
    isOwned: (workspaceId) => has(partitionOf(workspaceId)),
    fenceOf(workspaceId) {
      const pid = partitionOf(workspaceId)
      const epoch = holdings.owned.get(pid)
      return epoch !== undefined && has(pid) ? { pid, epoch, boot } : null
    },
    holding: table.get,
    reportFenced({ pid, epoch }) {
      if (holdings.owned.get(pid) === epoch) holdings.lose(pid, 'fenced')
      askSoon()
      kick()
    },
    describe: () => ({
      member,
      boot,
      isReady: isSettled(),
      isDraining,
      fence: fence.reason(),
      fences: fence.counts(),
      echoAgeMs: fence.echoAgeMs(),
      databaseAgeMs: fence.databaseAgeMs(),
      owned: [...holdings.owned],
      orphans: countOrphans(know().known, clock.nowMs()),
      members: members.list(clock.nowMs()),
      ...holdings.counts(),
    }),
    settled: settled.promise,
    async stop() {
      const late = Promise.withResolvers<void>()
      const cancel = clock.after(drainMs, late.resolve)
      // Partitions that are not handed over are taken over once this process is detected as gone.
      await Promise.race([drain().catch(options.onError), late.promise])
      cancel()
      isStopped = true
      cancelTick()
      view.stop()
      for (const pid of holdings.owned.keys()) holdings.lose(pid, 'moved')
    },
  }
}
