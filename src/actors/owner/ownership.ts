// When this process claims partitions, when it may answer for them, and when it hands them over.
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
import type { Member } from './members.ts'
import { makePlacement } from './placement.ts'
import { countOrphans, makeClaimPlanner, planMoves } from './plan-partitions.ts'
import type { FenceReason } from './self-fence.ts'

export type OwnershipOptions = {
  readonly transport: Transport
  readonly epochs: EpochStore
  /** Stable over restarts, so that the member gets the same partitions back. One word. */
  readonly member: string
  /** Random and new with each start. One word. */
  readonly boot: string
  readonly clock: Clock
  /** This process alone uses the database, as a lock has shown: it waits for nobody. */
  readonly isAlone: boolean
  readonly server: PartitionServer
  readonly onLost: (pid: number, reason: LossReason) => void
  readonly onFenceClosed: (reason: FenceReason) => void
  /** Outages among them: they pass, and what failed is done again. */
  readonly onError: (error: unknown) => void
}

export type OwnershipStatus = {
  readonly member: string
  readonly boot: string
  /** Has settled in, and may be given partitions. */
  readonly isReady: boolean
  readonly isDraining: boolean
  /** Null: it answers. */
  readonly fence: FenceReason | null
  readonly fences: Readonly<Record<FenceReason, number>>
  readonly echoAgeMs: number
  readonly databaseAgeMs: number
  readonly owned: readonly Owned[]
  /** Partitions without a live owner, as it knows now. */
  readonly orphans: number
  readonly members: readonly Member[]
  readonly claimed: number
  readonly claimsLost: number
  readonly lost: LossCounts
}

export type Ownership = {
  /** Asked on every message, when it comes and before it is answered. */
  readonly mayAnswer: () => boolean
  /** True where this process owns the workspace's partition and may act on it. */
  isOwned(workspaceId: string): boolean
  /** What a write for the workspace has to hold (`fenced.ts`); null where it is not owned. */
  fenceOf(workspaceId: string): Fence | null
  readonly holding: (pid: number) => Holding
  /** The database refused a fenced write: what is kept of the partition is dropped, unless it has been claimed anew since. */
  readonly reportFenced: (refused: Fence) => void
  describe(): OwnershipStatus
  /** Resolves when it has settled in and claimed what was free: without a connection, or without the database, not before there is one. */
  readonly settled: Promise<void>
  /** Hands everything over, for at most 5 s, and ends. */
  stop(): Promise<void>
}

const tickMs = 100
// Fronts trust the keys that they know for half a second after a database went away, and on where all owners say by then that it did, or
// that it is silent. Who owns what follows from a longer silence only.
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

/** Runs from here on. Owns nothing until it has heard itself and read the database. */
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
    // The first heartbeat goes out before there is anything to tell.
    tellSelf: () =>
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
  const holdings = makeHoldings({ ...options, table, announce: view.announce, hasHeir })

  function hasHeir(): boolean {
    return members.standing(clock.nowMs()).names.some((name) => name !== member)
  }

  /** One run at a time; what happens during one is looked at in the next. */
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
    // Not before its next try where one has failed: a claim waits for that too.
    const canReopen = reason !== null && view.canHear() && clock.nowMs() >= claimAtMs
    if (canReopen || clock.nowMs() >= pollAtMs) await poll()
    // Who was only blind has heard the others all the while.
    if (canReopen && fence.reopen() && reason !== 'database') beginToSettle()
    if (!isReady && fence.mayAnswer() && clock.nowMs() >= settledAtMs) {
      isReady = true
      // Those who started at the same time become ready too, so that nobody takes all and gives it away again.
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

  /** Others are told at once where it has changed. */
  function hearDatabase(isAway: boolean): void {
    const wasAnswering = isAnswering
    isDatabaseAway = isAway
    isAnswering = !isAway && (!isReady || view.fence.databaseAgeMs() < silentDatabaseMs)
    if (wasAnswering !== isAnswering) view.beat()
  }

  /** That it was deaf says nothing of the others: it listens for a while. */
  function beginToSettle(): void {
    const waitMs = isReady ? settleAfterFenceMs : settleMs
    settledAtMs = clock.nowMs() + (options.isAlone ? 0 : waitMs)
    view.beat()
  }

  const isSettled = (): boolean => isReady && clock.nowMs() >= settledAtMs

  /** Take what was given up: whoever was deaf can do that too, as soon as it hears again. */
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

  /** A chunk at a time, and the next one when the last has been claimed. */
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
      // Whatever is not handed over is taken over when this process is found to be gone.
      await Promise.race([drain().catch(options.onError), late.promise])
      cancel()
      isStopped = true
      cancelTick()
      view.stop()
      for (const pid of holdings.owned.keys()) holdings.lose(pid, 'moved')
    },
  }
}
