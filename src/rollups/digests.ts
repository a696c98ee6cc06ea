// Reads rows as what is made of them: from memory where it is held there, else of their bytes.
import type { TierRow, Wanted } from './copy-rows.ts'
import type { Digest, RowMemory } from './row-memory.ts'
import type { Tier } from './tiers.ts'

/** What of a row a reader takes. */
export type Taken<Made> = {
  readonly digest: Digest<Made>
  /** `made` serves other reads too: never to be changed. */
  take(startMs: number, made: Made, tier: Tier): void
}

export type Digests = {
  readonly memory: RowMemory
  /** Of rows that are all there is between two cuts. Without cells it is made of a head, and may have no more. */
  readonly alone?: Taken<unknown>
  /** Of all others. */
  readonly each?: Taken<unknown>
}

export type DigestReader = {
  /** The transactions whose rows of these spans are held. */
  listKnown(wanted: readonly Wanted[]): ReadonlySet<number>
  /** False for a row without bytes that is not held as it is. */
  take(row: TierRow): boolean
  /** Holds what was made, for other reads. */
  finish(): void
}

/** `placeOf` gives where a row is taken to start. */
export function openDigest(
  memory: RowMemory,
  workspaceId: string,
  { digest, take }: Taken<unknown>,
  placeOf: (startMs: number) => number,
): DigestReader {
  const held = memory.open(workspaceId, digest.name)
  return {
    listKnown(wanted) {
      const xmins = new Set<number>()
      for (const span of wanted) held.listXmins(span.tier, span, xmins)
      return xmins
    },
    take({ tier, startMs, server, xmin, total, cells, isExact }) {
      const known = held.find(tier, startMs, { server, xmin })
      if (known === null && total === null) return false
      if (known !== null) take(placeOf(startMs), known.made, tier)
      else if (total !== null) {
        const made = digest.make(total, cells, isExact)
        held.add(tier, startMs, { server, xmin, made, bytes: digest.bytesOf(made) })
        take(placeOf(startMs), made, tier)
      }
      return true
    },
    finish: held.keep,
  }
}
