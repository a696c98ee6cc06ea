// Which rows tell of some stretches of time: the longest that there are.
import { hasHead } from '../measure/total-codec.ts'
import { type Copy, told } from './copy-out.ts'
import { copyRows, type TierRow, type Wanted } from './copy-rows.ts'
import type { DigestReader } from './digests.ts'
import { listWhole, type Span, startsIn, subtract } from './spans.ts'
import { floorTo, lengthMs, type Tier, tiers } from './tiers.ts'

export type Sought = {
  readonly workspaceId: string
  /** In order; none of them reaches into another. */
  readonly pieces: readonly Span[]
  readonly columns: 'total' | 'cells' | 'sets'
  /** Of sets: whether they have what is asked for. */
  readonly isTold: (sets: Buffer) => boolean
  /** Of rows that are as long as their piece, where nothing else is in it; without cells made of their heads, or of all of a total. */
  readonly alone: DigestReader | null
  /** Of all others. */
  readonly each: DigestReader | null
  /** Whether something else is in the piece that such a row is as long as; asked when the row has come. */
  readonly isTouched: (tier: Tier, startMs: number) => boolean
}

export type BareRow = Pick<TierRow, 'tier' | 'startMs' | 'total' | 'cells'>

/**
 * Gives the queries one by one, each when all rows of the one before have come, and null when there is nothing left to look for. Where
 * there is no day its hours are sought next, and where there is no hour its minutes: as a rule the first query finds all. Rows that no
 * digest is there for are taken by their bytes. A day or an hour whose sets lack what is asked for is passed over as if it were not there.
 * Sets that are not known come as null, as do those of such a minute, and then nothing more is sought.
 */
export function seekRows(sought: Sought, take: (row: BareRow) => void): () => Copy | null {
  const { workspaceId, pieces, columns, isTold, alone, each, isTouched } = sought
  const want = (tier: Tier, spans: readonly Span[]): Wanted[] =>
    spans.map((span) => ({ ...span, tier, columns, alone: false, mayBeKnown: true }))
  const without = (spans: readonly Span[], others: readonly Span[], tier: Tier): Span[] =>
    subtract(spans, startsIn(others, tier), tier)

  const listAlone = (tier: Tier): Span[] =>
    listWhole(
      pieces.filter(
        ({ fromMs, toMs }) => alone !== null && toMs - fromMs === lengthMs[tier] && fromMs === floorTo(fromMs, tier),
      ),
      tier,
    )
  let days = listWhole(pieces, tiers.day)
  let hours = without(listWhole(pieces, tiers.hour), days, tiers.day)
  let minutes = without(without(listWhole(pieces, tiers.minute), days, tiers.day), hours, tiers.hour)
  let again: Wanted[] = []
  let isUnknown = false
  let found: Record<Tier, number[]> | null = null

  const listFirst = (): Wanted[] =>
    // The longest first: the sets of days are what those of all others are added to.
    (
      [
        [tiers.day, days],
        [tiers.hour, hours],
        [tiers.minute, minutes],
      ] as const
    ).flatMap(([tier, spans]) => {
      const lone = listAlone(tier)
      const wantAlone = {
        tier,
        columns: columns === 'cells' ? 'cells' : 'head',
        alone: true,
        mayBeKnown: true,
      } as const
      const heads = lone.map((span): Wanted => ({ ...span, ...wantAlone }))
      return [...want(tier, without(spans, lone, tier)), ...heads]
    })

  const listNext = (known: Record<Tier, number[]>): Wanted[] => {
    minutes = subtract(hours, known[tiers.hour], tiers.hour)
    hours = subtract(days, known[tiers.day], tiers.day)
    days = []
    return [...again, ...want(tiers.hour, hours), ...want(tiers.minute, minutes)]
  }

  /** Null where the row is taken; else as what it has to be read once more. */
  const takeRow = (row: TierRow): Pick<Wanted, 'columns' | 'alone'> | null => {
    const { tier, startMs, total } = row
    if (row.alone && isTouched(tier, startMs)) return { columns, alone: false }
    // One of a release that wrote none, or one with so many durations that it ends further behind.
    if (row.isHead && total !== null && !hasHead(total)) return { columns, alone: true }
    const digest = row.alone ? alone : each
    if (digest !== null) return digest.take(row) ? null : { columns, alone: row.alone }
    take({ tier, startMs, total: told(total), cells: row.cells })
    return null
  }

  /** False where shorter rows have to tell. */
  const takeSets = ({ tier, startMs, total }: TierRow): boolean => {
    const sets = total !== null && isTold(total) ? total : null
    if (sets === null && total !== null && tier !== tiers.minute) return false
    isUnknown ||= sets === null
    take({ tier, startMs, total: sets, cells: null })
    return true
  }

  const listKnown = (wanted: readonly Wanted[]): ReadonlySet<number> =>
    (wanted[0]?.alone === true ? alone : each)?.listKnown(wanted) ?? new Set()

  return () => {
    const wanted = found === null ? listFirst() : listNext(found)
    const starts: Record<Tier, number[]> = { 0: [], 1: [], 2: [] }
    found = starts
    again = []
    if (wanted.length === 0 || isUnknown) {
      alone?.finish()
      each?.finish()
      return null
    }
    return copyRows(workspaceId, wanted, listKnown, (row) => {
      const { tier, startMs } = row
      if (columns === 'sets') {
        if (takeSets(row)) starts[tier].push(startMs)
        return
      }
      starts[tier].push(startMs)
      const next = takeRow(row)
      if (next === null) return
      again.push({ ...next, tier, fromMs: startMs, toMs: startMs + lengthMs[tier], mayBeKnown: false })
    })
  }
}
