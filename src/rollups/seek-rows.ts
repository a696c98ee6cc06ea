// Finds the rows that cover some spans of time, the longest rows first.
import { hasHead } from '../sketches/total-codec.ts'
import { type Copy, required } from '../store/copy-out.ts'
import { copyRows, type TierRow, type WantedRows } from './copy-rows.ts'
import type { DigestReader } from './digests.ts'
import { listWhole, startsIn, subtract, type TimeSpan } from './spans.ts'
import { floorTo, lengthMs, type Tier, tiers } from './tiers.ts'

export type Sought = {
  readonly workspaceId: string
  /** In order, without overlaps. */
  readonly pieces: readonly TimeSpan[]
  readonly columns: 'total' | 'cells' | 'sets'
  /** For sets: whether they include what is requested. */
  readonly isTold: (sets: Buffer) => boolean
  /**
   * For rows that are as long as their piece, if the piece contains nothing else. Without cells the digests are made from the heads of the
   * rows, or from whole totals.
   */
  readonly alone: DigestReader | null
  /** For all other rows of its tiers; for sets, if they include what is requested. */
  readonly each: DigestReader | null
  /** Whether the piece that the row covers contains other data. Called when the row has arrived. */
  readonly isTouched: (tier: Tier, startMs: number) => boolean
}

export type BareRow = Pick<TierRow, 'tier' | 'startMs' | 'total' | 'cells'> & {
  /** Whether the sets were left out, because the same transaction wrote a row that has a digest. */
  readonly isLeftOut?: boolean
}

/**
 * Returns a function that returns the queries one by one, each after all rows of the previous one have arrived, and null when nothing is
 * left to find. If a day has no row, its hours are looked up next, and if an hour has none, its minutes; usually the first query finds all.
 * Rows without a digest are passed on as bytes. A day or an hour whose sets lack what is requested is treated as missing. Unknown sets are
 * passed on as null, as are those of such a minute, and those that were left out. The search then ends.
 */
export function seekRows(sought: Sought, take: (row: BareRow) => void): () => Copy | null {
  const { workspaceId, pieces, columns, isTold, alone, each, isTouched } = sought
  const want = (tier: Tier, spans: readonly TimeSpan[]): WantedRows[] =>
    spans.map((span) => ({ ...span, tier, columns, alone: false, mayBeKnown: each?.tiers.includes(tier) === true }))
  const without = (spans: readonly TimeSpan[], others: readonly TimeSpan[], tier: Tier): TimeSpan[] =>
    subtract(spans, startsIn(others, tier), tier)

  const listAlone = (tier: Tier): TimeSpan[] =>
    listWhole(
      pieces.filter(
        ({ fromMs, toMs }) => alone !== null && toMs - fromMs === lengthMs[tier] && fromMs === floorTo(fromMs, tier),
      ),
      tier,
    )
  let days = listWhole(pieces, tiers.day)
  let hours = without(listWhole(pieces, tiers.hour), days, tiers.day)
  let minutes = without(without(listWhole(pieces, tiers.minute), days, tiers.day), hours, tiers.hour)
  let again: WantedRows[] = []
  let isUnknown = false
  let leftOut: ReadonlySet<number> = new Set()
  let found: Record<Tier, number[]> | null = null

  const listFirst = (): WantedRows[] =>
    // The longest first: the sets of all other rows are added to those of days.
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
      const heads = lone.map((span): WantedRows => ({ ...span, ...wantAlone }))
      return [...want(tier, without(spans, lone, tier)), ...heads]
    })

  const listNext = (known: Record<Tier, number[]>): WantedRows[] => {
    minutes = subtract(hours, known[tiers.hour], tiers.hour)
    hours = subtract(days, known[tiers.day], tiers.day)
    days = []
    return [...again, ...want(tiers.hour, hours), ...want(tiers.minute, minutes)]
  }

  /** Null if the row was taken; otherwise how it must be read again. */
  const takeRow = (row: TierRow): Pick<WantedRows, 'columns' | 'alone'> | null => {
    const { tier, startMs, total } = row
    if (row.alone && isTouched(tier, startMs)) return { columns, alone: false }
    // A release without heads wrote the total, or it has so many durations that its head is longer than the bytes that were read.
    if (row.isHead && total !== null && !hasHead(total)) return { columns, alone: true }
    const digest = row.alone ? alone : each?.isFor(row) === true ? each : null
    if (digest === null && total === null) return { columns, alone: false }
    if (digest !== null) return digest.take(row) ? null : { columns, alone: row.alone }
    take({ tier, startMs, total: required(total), cells: row.cells })
    return null
  }

  /** Returns false if shorter rows must be read instead. */
  const takeSets = (row: TierRow): boolean => {
    const { tier, startMs, total, xmin, isExact } = row
    const sets = total !== null && isTold(total) ? total : null
    if (sets === null && total !== null && tier !== tiers.minute) return false
    const isDigested = each?.isFor(row) === true
    const isLeftOut = isDigested && isExact && total === null && leftOut.has(xmin)
    if (isDigested && (sets !== null || isLeftOut) && each.take(row)) return true
    isUnknown ||= sets === null
    take({ tier, startMs, total: sets, cells: null, isLeftOut })
    return true
  }

  const listKnown = (wanted: readonly WantedRows[]): ReadonlySet<number> => {
    leftOut = (wanted[0]?.alone === true ? alone : each)?.listKnown(wanted) ?? new Set()
    return leftOut
  }

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
