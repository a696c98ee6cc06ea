// Floor 3. Which rows tell of some stretches of time: the longest that there are.
import { hasHead } from '../measure/total-codec.ts'
import type { Copy } from './copy-out.ts'
import { copyRows, type TierRow, type Wanted } from './copy-rows.ts'
import { listWhole, type Span, startsIn, subtract } from './spans.ts'
import { floorTo, lengthMs, type Tier, tiers } from './tiers.ts'

export type Sought = {
  readonly workspaceId: string
  /** In order; none of them reaches into another. */
  readonly pieces: readonly Span[]
  readonly cells: boolean
  /** Whether a row that is as long as its piece, and nothing else is in it, is told so, and without cells comes as its head. */
  readonly alone: boolean
  /** Whether something else is in the piece that such a row is as long as; asked when the row has come. */
  readonly isTouched: (tier: Tier, startMs: number) => boolean
}

/**
 * Gives the queries one by one, each when all rows of the one before have come, and null when there is nothing left to look for. Where
 * there is no day its hours are sought next, and where there is no hour its minutes: as a rule the first query finds all.
 */
export function seekRows(sought: Sought, take: (row: TierRow) => void): () => Copy | null {
  const { workspaceId, pieces, cells, alone, isTouched } = sought
  const columns = cells ? 'cells' : 'total'
  const want = (tier: Tier, spans: readonly Span[]): Wanted[] =>
    spans.map((span) => ({ ...span, tier, columns, alone: false }))
  const without = (spans: readonly Span[], others: readonly Span[], tier: Tier): Span[] =>
    subtract(spans, startsIn(others, tier), tier)

  const listAlone = (tier: Tier): Span[] =>
    listWhole(
      pieces.filter(
        ({ fromMs, toMs }) => alone && toMs - fromMs === lengthMs[tier] && fromMs === floorTo(fromMs, tier),
      ),
      tier,
    )
  let days = listWhole(pieces, tiers.day)
  let hours = without(listWhole(pieces, tiers.hour), days, tiers.day)
  let minutes = without(without(listWhole(pieces, tiers.minute), days, tiers.day), hours, tiers.hour)
  let wholeAgain: Wanted[] = []
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
      const heads = lone.map((span): Wanted => ({ ...span, tier, columns: cells ? 'cells' : 'head', alone: true }))
      return [...want(tier, without(spans, lone, tier)), ...heads]
    })

  const listNext = (known: Record<Tier, number[]>): Wanted[] => {
    minutes = subtract(hours, known[tiers.hour], tiers.hour)
    hours = subtract(days, known[tiers.day], tiers.day)
    days = []
    return [...wholeAgain, ...want(tiers.hour, hours), ...want(tiers.minute, minutes)]
  }

  return () => {
    const wanted = found === null ? listFirst() : listNext(found)
    const starts: Record<Tier, number[]> = { 0: [], 1: [], 2: [] }
    found = starts
    wholeAgain = []
    if (wanted.length === 0) return null
    return copyRows(workspaceId, wanted, (row) => {
      const { tier, startMs } = row
      starts[tier].push(startMs)
      const isAlone = row.alone && !isTouched(tier, startMs)
      if (row.alone && !cells && !(isAlone && hasHead(row.total))) {
        wholeAgain.push(...want(tier, [{ fromMs: startMs, toMs: startMs + lengthMs[tier] }]))
      } else take(isAlone === row.alone ? row : { ...row, alone: isAlone })
    })
  }
}
