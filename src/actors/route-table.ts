// Where a front finds the owner of each partition: read from the database once, then as the owners tell.
import { Outage } from '../base/fault.ts'
import type { Transport } from '../bus/transport.ts'
import type { Clock } from './clock.ts'
import { decodeHeartbeat, decodeRouteNews, type RouteNews } from './heartbeat.ts'
import { makeMembers } from './owner/members.ts'
import { partitionCount } from './partition.ts'
import { makePartitionTable, type PartitionRow } from './partition-table.ts'
import { makeSilentMembers } from './silent-members.ts'
import { heartbeatPattern, makeToken, routeSubject } from './subjects.ts'

/** Who owns a partition now. */
export type Route = { readonly token: string; readonly epoch: number }

export type RouteTableOptions = {
  readonly transport: Pick<Transport, 'subscribe' | 'onState'>
  readonly clock: Clock
  /** Who owns what by the database. Throws Outage. */
  readonly readPartitions: () => Promise<readonly PartitionRow[]>
  /** Told of each partition that has another owner, or none, from now on. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export type RouteTable = {
  /** Null where no owner is known. Free. */
  get(partition: number): Route | null
  /** Calls at each change of the partition's route; gives back what ends it. */
  watch(partition: number, listener: () => void): () => void
  /** True once there is an owner of another token than this one; false where none appears in time. */
  changed(partition: number, token: string | null, timeoutMs: number): Promise<boolean>
  /**
   * All members who live say that the database is away, and some say so: then nothing can have been committed. Not where one is
   * missing: cut off from here, it may still reach the database.
   */
  isDatabaseAway(): boolean
  /** Partitions with a known owner. */
  known(): number
  stop(): void
}

const readAgainMs = 500

/** What is told only ever raises an epoch, and what is read never lowers one. Waits for nothing. */
export function openRouteTable(options: RouteTableOptions): RouteTable {
  const { transport, clock } = options
  const table = makePartitionTable()
  const members = makeMembers()
  const silent = makeSilentMembers()
  const routes = Array.from({ length: partitionCount }, (): Route | null => null)
  const watchers = new Map<number, Set<() => void>>()
  let reading: Promise<void> | null = null
  let isStopped = false
  let cancelRead = (): void => undefined

  const get = (partition: number): Route | null => routes[partition] ?? null

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
      if (heard === 'conflict') readSoon(readAgainMs)
      // Who gave it up answers until the next owner can.
      if (heard === 'changed' && !news.free) refresh(pid)
    }
  }

  async function read(): Promise<void> {
    const mark = table.mark()
    try {
      const rows = await options.readPartitions()
      // A database that went back is not followed: its owners claim anew, above all that was known.
      const current = rows.filter(({ pid, epoch }) => epoch >= table.get(pid).epoch)
      for (const pid of table.take(current, mark)) refresh(pid)
    } catch (error) {
      readSoon(readAgainMs)
      if (!(error instanceof Outage)) options.onError(error)
    }
  }

  /** At most one waits and one runs. */
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
      if (news !== null) hear(news)
    }),
    // What was told before is not known to whoever is connected only now.
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
      // One that is just starting has not asked yet.
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
