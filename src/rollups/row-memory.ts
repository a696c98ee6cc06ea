// Caches the digests of stored rows for later reads. A row that was written again has another version, so a digest is never older than the
// row in the database.
import { LRUCache } from 'lru-cache'
import type { TimeSpan } from './spans.ts'
import { lengthMs, type Tier, tiers } from './tiers.ts'

/**
 * Identifies the bytes of a stored row without reading them: the transaction that wrote the row, and the start time of the server that
 * counts the transactions. One transaction leaves at most one version of a row that others see, and a digest is dropped long before a
 * transaction id is reused.
 */
export type Version = { readonly server: number; readonly xmin: number }

/** What a reader computes from a row. */
export type Digest<Made> = {
  /** Two digests that compute different values must have different names. */
  readonly name: string
  /**
   * The bytes are valid until it returns. Cells are given if the reader requested them. `isExact`: the number of traces in the head is
   * exact. Throws if the bytes are damaged.
   */
  make(total: Uint8Array, cells: Uint8Array | null, isExact: boolean): Made
  /** Approximate memory in bytes. */
  bytesOf(made: Made): number
  /** Digests of a few bytes have their own share of the memory, from which large ones cannot displace them. */
  readonly isSmall?: boolean
}

export type RowMemoryOptions = {
  readonly maxBytes: number
  /** Called after each read with the number of its rows that were held, and the number that were not. */
  readonly onRead: (held: number, others: number) => void
  /** A clock that never steps. */
  readonly steadyMs?: () => number
}

/** Identifies a sum of rows. */
export type SumKey = {
  /** Distinguishes it from other sums of the workspace. */
  readonly name: string
  /** Objects that identify the parts: the same object for the same part. */
  readonly parts: readonly object[]
}

export type RowMemory = {
  /** Opens the digests of a workspace with this name, for one read. */
  open(workspaceId: string, digest: Pick<Digest<unknown>, 'name' | 'isSmall'>): HeldRows
  /** Returns the cached sum of exactly these parts, or null. It must not be changed. */
  findSum(workspaceId: string, key: SumKey): { readonly made: unknown } | null
  /** `bytes`: approximate memory of the sum. */
  keepSum(workspaceId: string, key: SumKey, sum: { readonly made: unknown; readonly bytes: number }): void
  /** Drops everything that is held of a workspace. */
  forget(workspaceId: string): void
  bytes(): number
}

/** The digests that one read finds and adds. */
export type HeldRows = {
  /** Adds the transactions that wrote the held rows of a span, which must be a whole number of lengths of the tier. */
  listXmins(tier: Tier, span: TimeSpan, into: Set<number>): void
  /** The result must not be changed. Null if this version is not held. */
  find(tier: Tier, startMs: number, version: Version): { readonly made: unknown } | null
  add(tier: Tier, startMs: number, row: Version & { readonly made: unknown; readonly bytes: number }): void
  /** Makes the added digests visible to other reads. */
  keep(): void
}

type Row = Version & { readonly made: unknown; readonly bytes: number }
/** Consecutive rows, by their index. A shelf is never changed, only replaced. */
type Shelf = readonly (Row | undefined)[]

const rowsOnShelf = 32
const shelfBytes = 1_000
const rowBytes = 120
const partBytes = 50
// A chart of a year in a time zone reads 8,784 hours. A longer span has hardly any rows of this tier, and probing every possible one would
// take longer than reading them.
const mostLookedFor = 9_000
// Four billion transactions take far longer. With synchronous_commit=off an id may be reused after a crash, within this time.
const longestLifeMs = 3_600_000

/**
 * For one database. Limited in bytes: the least recently used rows are dropped first. Days, which serve every window, have their own share.
 */
export function openRowMemory(options: RowMemoryOptions): RowMemory {
  const { maxBytes, onRead, steadyMs = () => performance.now() } = options
  const openShare = (share: number): LRUCache<string, Shelf> =>
    new LRUCache<string, Shelf>({
      maxSize: Math.floor(maxBytes * share),
      sizeCalculation: (shelf, key) => {
        let bytes = shelfBytes + 2 * key.length
        for (const row of shelf) if (row !== undefined) bytes += rowBytes + row.bytes
        return Math.ceil(bytes)
      },
      ttl: longestLifeMs,
      ttlResolution: 0,
      perf: { now: steadyMs },
      // The age of a shelf is that of the first row that was put into it.
      noUpdateTTL: true,
    })
  const days = openShare(5 / 20)
  const others = openShare(7 / 20)
  const small = openShare(1 / 20)
  const sums = new LRUCache<string, { parts: readonly object[]; made: unknown; bytes: number }>({
    maxSize: Math.floor(maxBytes * (7 / 20)),
    sizeCalculation: ({ parts, bytes }, key) =>
      Math.ceil(bytes + shelfBytes + parts.length * partBytes + 2 * key.length),
    // Its parts are not held for longer.
    ttl: longestLifeMs,
    ttlResolution: 0,
    perf: { now: steadyMs },
  })
  return {
    open(workspaceId, { name, isSmall = false }) {
      const shareOf = (tier: Tier): LRUCache<string, Shelf> => (isSmall ? small : tier === tiers.day ? days : others)
      return openHeld(shareOf, `${workspaceId} ${name}`, onRead)
    },
    findSum(workspaceId, { name, parts }) {
      const known = sums.get(`${workspaceId} ${name}`)
      const isSame = known?.parts.length === parts.length && parts.every((part, at) => part === known.parts[at])
      return isSame ? known : null
    },
    keepSum: (workspaceId, { name, parts }, { made, bytes }) =>
      void sums.set(`${workspaceId} ${name}`, { parts, made, bytes }),
    forget(workspaceId) {
      for (const share of [days, others, small, sums]) {
        share.purgeStale()
        // Copied to a list, since the iteration cannot continue from a deleted key.
        for (const key of Array.from(share.keys())) if (key.startsWith(workspaceId)) share.delete(key)
      }
    },
    bytes: () => [days, others, small, sums].reduce((sum, share) => sum + share.calculatedSize, 0),
  }
}

function openHeld(
  shareOf: (tier: Tier) => LRUCache<string, Shelf>,
  prefix: string,
  onRead: RowMemoryOptions['onRead'],
): HeldRows {
  const seen: Readonly<Record<Tier, Map<number, Shelf>>> = { 0: new Map(), 1: new Map(), 2: new Map() }
  const added: Readonly<Record<Tier, Map<number, Map<number, Row>>>> = { 0: new Map(), 1: new Map(), 2: new Map() }
  let [found, others] = [0, 0]

  const look = (tier: Tier, shelfNo: number): Shelf => {
    const known = seen[tier].get(shelfNo)
    if (known !== undefined) return known
    const shelf = shareOf(tier).get(keyOf(tier, shelfNo)) ?? []
    seen[tier].set(shelfNo, shelf)
    return shelf
  }
  const keyOf = (tier: Tier, shelfNo: number): string => `${prefix} ${tier} ${shelfNo}`

  return {
    listXmins(tier, { fromMs, toMs }, into) {
      if (toMs - fromMs > mostLookedFor * lengthMs[tier]) return
      const first = placeOf(tier, fromMs)
      const end = placeOf(tier, toMs)
      for (let { shelfNo } = first; shelfNo <= end.shelfNo; shelfNo += 1) {
        const shelf = look(tier, shelfNo)
        const to = shelfNo === end.shelfNo ? end.place : shelf.length
        for (let at = shelfNo === first.shelfNo ? first.place : 0; at < to; at += 1) {
          const row = shelf[at]
          if (row !== undefined) into.add(row.xmin)
        }
      }
    },
    find(tier, startMs, { server, xmin }) {
      const { shelfNo, place } = placeOf(tier, startMs)
      const row = look(tier, shelfNo)[place]
      if (row === undefined || row.xmin !== xmin || row.server !== server) return null
      found += 1
      return row
    },
    add(tier, startMs, row) {
      others += 1
      const { shelfNo, place } = placeOf(tier, startMs)
      const rows = added[tier].get(shelfNo) ?? new Map<number, Row>()
      added[tier].set(shelfNo, rows.set(place, row))
    },
    keep() {
      for (const tier of Object.values(tiers)) {
        const share = shareOf(tier)
        for (const [shelfNo, rows] of added[tier]) {
          const key = keyOf(tier, shelfNo)
          // The present shelf: other reads may have added to it.
          const shelf = [...(share.get(key) ?? Array<undefined>(rowsOnShelf).fill(undefined))]
          for (const [place, row] of rows) shelf[place] = row
          share.set(key, shelf)
        }
        added[tier].clear()
      }
      onRead(found, others)
      found = 0
      others = 0
    },
  }
}

function placeOf(tier: Tier, startMs: number): { readonly shelfNo: number; readonly place: number } {
  const no = Math.floor(startMs / lengthMs[tier])
  const shelfNo = Math.floor(no / rowsOnShelf)
  return { shelfNo, place: no - shelfNo * rowsOnShelf }
}
