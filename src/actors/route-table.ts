// The owners of the partitions as a front knows them: read from the database at the start and after each reconnect, then updated by the
// messages of the owners.
import { Outage } from '../base/fault.ts'
import type { Transport } from '../bus/transport.ts'
import type { Clock } from './clock.ts'
import { decodeHeartbeat, decodeRouteNews, type RouteNews } from './heartbeat.ts'
import { makeClusterMembers } from './owner/members.ts'
import { partitionCount } from './partition.ts'
import { makePartitionTable, type PartitionRow } from './partition-table.ts'
import { makeSilentMembers } from './silent-members.ts'
import { heartbeatPattern, makeToken, routeSubject } from './subjects.ts'

/** The current owner of a partition. */
export type PartitionRoute = { readonly token: string; readonly epoch: number }

export type RouteTableOptions = {
  readonly transport: Pick<Transport, 'subscribe' | 'onState'>
  readonly clock: Clock
  /** Reads the owners from the database. Throws Outage. */
  readonly readPartitions: () => Promise<readonly PartitionRow[]>
  /** Called for each partition whose owner changes or is lost. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export type RouteTable = {
  /** Null if no owner is known. Does no I/O. */
  get(partition: number): PartitionRoute | null
  /** Calls the listener at each change of the partition's route. Returns a function that ends it. */
  watch(partition: number, listener: () => void): () => void
  /** Resolves with true once an owner with another token than this one is known, or with false after `timeoutMs`. */
  changed(partition: number, token: string | null, timeoutMs: number): Promise<boolean>
  /**
   * True if all live members report that the database does not answer, and at least one of them is ready: then nothing can have been
   * committed. False while a member is missing: it may be cut off from this process and still reach the database.
   */
  isDatabaseAway(): boolean
  /** Number of partitions with a known owner. */
  known(): number
  stop(): void
}

const readAgainMs = 500

/**
 * Messages only raise an epoch. Reading the database lowers one only if the known owner has become silent and that of the database is heard:
 * the database was restored to an earlier state, and all owners were started again. Returns at once, before the first read.
 */
export function openRouteTable(options: RouteTableOptions): RouteTable {
  const { transport, clock } = options
  const table = makePartitionTable()
  const members = makeClusterMembers()
  const silent = makeSilentMembers()
  const routes = Array.from({ length: partitionCount }, (): PartitionRoute | null => null)
  const watchers = new Map<number, Set<() => void>>()
  let reading: Promise<void> | null = null
  let isStopped = false
  let cancelRead = (): void => undefined

  const get = (partition: number): PartitionRoute | null => routes[partition] ?? null

  function refresh(partition: number): void {
    const { epoch, boot } = table.get(partition)
    const token = boot === null ? null : makeToken(epoch, boot)
    if ((get(partition)?.token ?? null) === token) return
    routes[partition] = token === null ? null : { token, epoch }
    options.onChange()
    for (const listener of watchers.get(partition) ?? []) listener()
  }

  function hear(news: RouteNews): void {
    for (const [pid, epoch] of news.parts) {
      const heard = news.free
        ? table.hearFree(pid, epoch, news.boot)
        : table.hearOwned(pid, epoch, news.member, news.boot)
      if (heard === 'conflict' || (!news.free && epoch < table.get(pid).epoch && isReplaced(pid, news.boot)))
        readSoon(readAgainMs)
      // The route of a free partition is kept: the member that gave it up answers until the next owner can.
      if (heard === 'changed' && !news.free) refresh(pid)
    }
  }

  /** True if the known owner of the partition is silent, and the member of this start is not. */
  function isReplaced(partition: number, boot: string | null): boolean {
    const known = table.get(partition).boot
    const lives = (one: string | null): boolean => one !== null && members.isLive(one, clock.nowMs())
    return lives(boot) && !lives(known)
  }

  async function read(): Promise<void> {
    const mark = table.mark()
    try {
      const rows = await options.readPartitions()
      // Rows with a lower epoch come from a database that was restored to an earlier state. Owners that still run claim their partitions
      // again, above all known epochs; owners that were started since do not know these epochs.
      const current = rows.filter(({ pid, epoch, boot }) => epoch >= table.get(pid).epoch || isReplaced(pid, boot))
      for (const pid of table.take(current, mark)) refresh(pid)
    } catch (error) {
      readSoon(readAgainMs)
      if (!(error instanceof Outage)) options.onError(error)
    }
  }

  /** At most one read waits and one runs. */
  function readSoon(delayMs: number): void {
    if (isStopped) return
    cancelRead()
    cancelRead = clock.after(delayMs, () => {
      if (reading !== null) return readSoon(readAgainMs)
      reading = read().finally(() => {
        reading = null
      })
    })
  }

  function watch(partition: number, listener: () => void): () => void {
    const others = watchers.get(partition) ?? new Set()
    watchers.set(partition, others.add(listener))
    return () => {
      others.delete(listener)
      if (others.size === 0 && watchers.get(partition) === others) watchers.delete(partition)
    }
  }

  const ends = [
    transport.subscribe(heartbeatPattern, (bytes) => {
      const heartbeat = decodeHeartbeat(bytes)
      if (heartbeat === null) return
      members.hear(heartbeat, clock.nowMs())
      silent.hear(heartbeat, clock.nowMs())
      members.prune(() => false, clock.nowMs())
      hear({ ...heartbeat, free: false, parts: heartbeat.owned })
    }),
    transport.subscribe(routeSubject, (bytes) => {
      const news = decodeRouteNews(bytes)
      if (news === null) return
      if (!news.free) members.note(news.member, news.boot, clock.nowMs())
      hear(news)
    }),
    // Messages that were sent before this process connected are lost.
    transport.onState((state) => {
      if (state === 'up') readSoon(0)
    }),
  ]
  readSoon(0)

  return {
    get,
    watch,
    changed(partition, token, timeoutMs) {
      const isOther = (): boolean => get(partition) !== null && get(partition)?.token !== token
      if (isOther()) return Promise.resolve(true)
      return new Promise<boolean>((resolve) => {
        const end = (found: boolean): void => {
          unwatch()
          cancel()
          resolve(found)
        }
        const unwatch = watch(partition, () => {
          if (isOther()) end(true)
        })
        const cancel = clock.after(timeoutMs, () => end(false))
      })
    },
    isDatabaseAway() {
      const nowMs = clock.nowMs()
      const live = members.list(nowMs).filter(({ isLive }) => isLive)
      // A member that is just starting has not queried its database yet.
      const isSaid = live.some(({ ready }) => ready) && live.every(({ pgAnswers }) => !pgAnswers)
      return isSaid && !silent.isSomeoneMissing(new Set(live.map(({ name }) => name)), nowMs)
    },
    known: () => routes.filter((route) => route !== null).length,
    stop() {
      isStopped = true
      cancelRead()
      for (const end of ends) end()
    },
  }
}
