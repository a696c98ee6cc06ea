// Reads rows as digests: from memory if they are held, otherwise made from their bytes.
import type { TierRow, WantedRows } from './copy-rows.ts'
import type { Digest, RowMemory, SumKey } from './row-memory.ts'
import { type Tier, tiers } from './tiers.ts'

/** A kind of digest, and the function that takes each digest of a row. */
export type DigestConsumer<Made> = {
  readonly digest: Digest<Made>
  /** The tiers of the rows that it takes; default: all. */
  readonly tiers?: readonly Tier[]
  /** Whether it takes the row of these tiers at a time; default: always. */
  readonly isTakenAt?: (startMs: number) => boolean
  /** Reads held rows with their bytes as well, and passes them to `make`. What is held of them stays. */
  readonly isMadeAnew?: boolean
  /** `made` is shared with other reads and must not be changed. */
  take(startMs: number, made: Made, tier: Tier): void
}

export type Digests = {
  readonly memory: RowMemory
  /**
   * For rows that are the only data between two cuts. Without cells the digest is made from a head, which may be all of the total that was
   * read.
   */
  readonly alone?: DigestConsumer<unknown>
  /** For all other rows. */
  readonly each?: DigestConsumer<unknown>
}

export type DigestReader = {
  readonly tiers: readonly Tier[]
  isFor(row: Pick<TierRow, 'tier' | 'startMs'>): boolean
  /** Returns the transactions whose rows of these spans are held. */
  listKnown(wanted: readonly WantedRows[]): ReadonlySet<number>
  /** Returns false for a row without bytes if this version of it is not cached. */
  take(row: TierRow): boolean
  /** Keeps the digests that were made, for other reads. */
  finish(): void
}

/** `placeOf` returns the start that is reported for a row. */
export function openDigest(
  memory: RowMemory,
  workspaceId: string,
  consumer: DigestConsumer<unknown>,
  placeOf: (startMs: number) => number,
): DigestReader {
  const { digest, tiers: taken = Object.values(tiers), isTakenAt = () => true, isMadeAnew = false, take } = consumer
  const held = memory.open(workspaceId, digest)
  return {
    tiers: taken,
    isFor: ({ tier, startMs }) => taken.includes(tier) && isTakenAt(startMs),
    listKnown(wanted) {
      const xmins = new Set<number>()
      if (!isMadeAnew) for (const span of wanted) if (taken.includes(span.tier)) held.listXmins(span.tier, span, xmins)
      return xmins
    },
    take({ tier, startMs, server, xmin, total, cells, isExact }) {
      const known = held.find(tier, startMs, { server, xmin })
      if (known === null && total === null) return false
      const made = total === null || (known !== null && !isMadeAnew) ? null : digest.make(total, cells, isExact)
      if (known !== null) take(placeOf(startMs), known.made, tier)
      else {
        held.add(tier, startMs, { server, xmin, made, bytes: digest.bytesOf(made) })
        take(placeOf(startMs), made, tier)
      }
      return true
    },
    finish: held.keep,
  }
}

/** Rows of the same identity have the same bytes. */
export type HeldRow = { readonly startMs: number; readonly identity: object }

type RowBytes = { readonly total: Uint8Array; readonly cells: Uint8Array | null }

export type RowHolder = Pick<DigestConsumer<object>, 'tiers' | 'isTakenAt'> & {
  /** Distinguishes what is made of the rows: a row that was read under a name is held for reads under this name. */
  readonly name: string
  /** Whether the bytes of held rows are left out. */
  readonly leavesOut: boolean
  /** `bytes` is null if they were left out. */
  readonly takeRow: (row: HeldRow, bytes: RowBytes | null) => void
}

const identityBytes = 32

/** The digest of a row is only its identity: its bytes are passed on while they are valid. */
export function identifyRows({ name, leavesOut, takeRow, ...which }: RowHolder): DigestConsumer<object> {
  let bytes: RowBytes | null = null
  return {
    ...which,
    isMadeAnew: !leavesOut,
    digest: {
      name,
      make(total, cells) {
        bytes = { total, cells }
        return {}
      },
      bytesOf: () => identityBytes,
      isSmall: true,
    },
    take(startMs, identity) {
      takeRow({ startMs, identity }, bytes)
      bytes = null
    },
  }
}

/** Returns the key of what is made of exactly these rows. `name` says what that is. */
export function sumKeyOf(name: string, rows: readonly HeldRow[]): SumKey {
  // Rows of several tiers arrive one tier after another.
  const sorted = rows.toSorted((a, b) => a.startMs - b.startMs)
  return {
    name: `${name} ${sorted[0]?.startMs ?? 0} ${sorted.length}`,
    parts: sorted.map(({ identity }) => identity),
  }
}
