// Floor 3. The stored rows of some spans of time, of all tiers in one query.
import { type Copy, readBytes, readDouble, readTimeUs, told } from './copy-out.ts'
import { quoteIntegers, quoteUuid } from './quote.ts'
import type { Span } from './spans.ts'
import type { Tier } from './tiers.ts'

/**
 * What of a row is read: the first bytes of its total, in which its head mostly ends; its total; its total and its cells. `alone`
 * comes back with the row.
 */
export type Wanted = Span & {
  readonly tier: Tier
  readonly columns: 'head' | 'total' | 'cells'
  readonly alone: boolean
}

export type TierRow = {
  readonly tier: Tier
  readonly startMs: number
  readonly alone: boolean
  readonly total: Buffer
  readonly cells: Buffer | null
}

/**
 * Gives each row that starts in a span that it is wanted for, in the order of the columns and tiers that are wanted. One look into
 * the index a span: what is behind `offset 0` is planned for itself, and its bytes are fetched once. Index: rollups_pkey.
 */
export const copyRows = (workspaceId: string, wanted: readonly Wanted[], take: (row: TierRow) => void): Copy => ({
  query: [...Map.groupBy(wanted, ({ columns, alone }) => `${columns} ${alone}`).values()]
    .map((spans) => selectRows(workspaceId, spans))
    .join('\nunion all\n'),
  take: (row) =>
    take({
      alone: told(readDouble(row)) === 1,
      tier: told(readDouble(row)) as Tier,
      startMs: readTimeUs(row) / 1_000,
      total: told(readBytes(row)),
      cells: readBytes(row),
    }),
})

// What is stored out of line comes in pieces of 1,996 bytes, and nearly every head ends in the first; the two bytes behind the version
// tell its length, so that little more is sent. Of a total the rest is fetched only if it is asked for.
const columnsOf = {
  head: {
    stored: 'substring(total from 1 for 1996) as total, null::bytea as cells',
    sent: 'substring(total from 1 for 3 + (get_byte(total, 1) & 127) + 128 * get_byte(total, 2)), cells',
  },
  total: { stored: 'total, null::bytea as cells', sent: 'total, cells' },
  cells: { stored: 'total, cells', sent: 'total, cells' },
} as const

function selectRows(workspaceId: string, spans: readonly Wanted[]): string {
  const [first] = spans
  const { stored, sent } = columnsOf[first?.columns ?? 'total']
  const list = (of: (span: Wanted) => number): string => quoteIntegers(spans.map(of))
  return `select ${first?.alone === true ? 1 : 0}::float8, tier::float8, start_time, ${sent}
from unnest(${list(({ tier }) => tier)}, ${list(({ fromMs }) => fromMs / 1_000)}, ${list(({ toMs }) => toMs / 1_000)})
  as span (of_tier, from_s, to_s)
cross join lateral (
  select tier, start_time, ${stored}
  from rollups
  where workspace_id = ${quoteUuid(workspaceId)} and tier = span.of_tier::smallint
    and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
  offset 0
) stored`
}
