// What readers made of stored rows, for the reads to come. A row that was written since has another version: what is held is
// never older than what the database would give.
import { LRUCache } from 'lru-cache'
import type { Span } from './spans.ts'
import { lengthMs, type Tier, tiers } from './tiers.ts'

/**
 * What a stored row's bytes are, without looking at them: the transaction that wrote the row, and when the server started that
 * counts its transactions. One transaction leaves at most one version of a row behind that others see; and before its number comes
 * again, what is held has long been dropped.
 */
export type Version = { readonly server: number; readonly xmin: number }

/** What a reader makes of a row. */
export type Digest<Made> = {
  /** Of two digests that make different things of a row the names differ. */
  readonly name: string
  /**
   * Bytes are good until it returns. Cells where the reader asked for them. `isExact`: so is the number of traces that the head tells.
   * Throws where the bytes are damaged.
   */
  make(total: Uint8Array, cells: Uint8Array | null, isExact: boolean): Made
  /** About what it takes of memory. */
  bytesOf(made: Made): number
}

export type RowMemoryOptions = {
  readonly maxBytes: number
  /** Told after each read how many of its rows were held, and how many not. */
  readonly onRead: (held: number, others: number) => void
  /** Never steps. */
  readonly steadyMs?: () => number
}

export type Sum<Made> = {
  /** Tells it from other sums of the workspace. */
  readonly name: string
  /** Objects that stand for what is added up: the same ones for the same parts. */
  readonly parts: readonly object[]
  make(): Made
  /** About what the sum takes of memory. */
  bytesOf(made: Made): number
}

export type RowMemory = {
  /** What is held of a workspace by the name of a digest. */
  open(workspaceId: string, name: string): Held
  /** What was added up of just these parts before, or is now. */
  sum<Made>(workspaceId: string, sum: Sum<Made>): Made
  /** Lets go what is held of a workspace. */
  forget(workspaceId: string): void
  bytes(): number
}

/** What one read finds and adds. */
export type Held = {
  /** Adds the transactions that wrote what is held of a span of whole lengths of the tier. */
  listXmins(tier: Tier, span: Span, into: Set<number>): void
  /** Never to be changed; null where this version is not held. */
  find(tier: Tier, startMs: number, version: Version): { readonly made: unknown } | null
  add(tier: Tier, startMs: number, row: Version & { readonly made: unknown; readonly bytes: number }): void
  /** Shows others what was added. */
  keep(): void
}

type Row = Version & { readonly made: unknown; readonly bytes: number }
/** Rows side by side, by their place. Never changed: another takes its place. */
type Shelf = readonly (Row | undefined)[]

const rowsOnShelf = 32
const shelfBytes = 1_000
const rowBytes = 120
const partBytes = 50
// A longer span has hardly any rows of this tier, and looking for each that there might be would take longer than reading them.
const mostLookedFor = 3_000
// Four billion transactions take longer by far. With synchronous_commit=off a number may come again after a crash, within this time.
const longestLifeMs = 3_600_000

/** Of one database. Bounded by bytes: what was used least goes first, but days, which serve every window, have a share of their own. */
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
      // A shelf is as old as the first row that was put there.
      noUpdateTTL: true,
    })
  const days = openShare(3 / 8)
  const others = openShare(4 / 8)
  const sums = new LRUCache<string, { parts: readonly object[]; made: unknown; bytes: number }>({
    maxSize: Math.floor(maxBytes / 8),
    sizeCalculation: ({ parts, bytes }, key) =>
      Math.ceil(bytes + shelfBytes + parts.length * partBytes + 2 * key.length),
  })
  return {
    open: (workspaceId, name) =>
      openHeld((tier) => (tier === tiers.day ? days : others), `${workspaceId} ${name}`, onRead),
    sum<Made>(workspaceId: string, { name, parts, make, bytesOf }: Sum<Made>): Made {
      const key = `${workspaceId} ${name}`
      const known = sums.get(key)
      if (known?.parts.length === parts.length && parts.every((part, at) => part === known.parts[at])) {
        return known.made as Made
      }
      const made = make()
      sums.set(key, { parts, made, bytes: bytesOf(made) })
      return made
    },
    forget(workspaceId) {
      for (const share of [days, others, sums]) {
        share.purgeStale()
        // A list of them: one that is gone leads to no next.
        for (const key of Array.from(share.keys())) if (key.startsWith(workspaceId)) share.delete(key)
      }
    },
    bytes: () => days.calculatedSize + others.calculatedSize + sums.calculatedSize,
  }
}

function openHeld(
  shareOf: (tier: Tier) => LRUCache<string, Shelf>,
  prefix: string,
  onRead: RowMemoryOptions['onRead'],
): Held {
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
          // As it is now: others may have added to it.
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
