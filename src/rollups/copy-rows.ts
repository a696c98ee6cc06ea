// Reads the stored rows of some spans of time, of all tiers in one query.
import { type Copy, readBoolean, readBytes, readDouble, readTimeUs, readXid, required } from '../store/copy-out.ts'
import type { Version } from './row-memory.ts'
import type { TimeSpan } from './spans.ts'
import { quoteIntegers, quoteUuid, quoteXids } from './sql-literals.ts'
import type { Tier } from './tiers.ts'

/**
 * `columns` says what is read of a row: `head`, the first bytes of its total, which mostly contain its whole head; `total`; `cells`, its
 * total and its cells; `sets`, its sets in place of the total. `alone` is returned with the row.
 */
export type WantedRows = TimeSpan & {
  readonly tier: Tier
  readonly columns: 'head' | 'total' | 'cells' | 'sets'
  readonly alone: boolean
  /** Whether the row comes without its bytes if the transaction that wrote it is known. */
  readonly mayBeKnown: boolean
}

export type TierRow = Version & {
  readonly tier: Tier
  readonly startMs: number
  readonly alone: boolean
  /** Whether only the first bytes of the total were read. */
  readonly isHead: boolean
  /** With sets: whether it has any. Alone: whether the number of traces in its head is exact, unless it was written by a known transaction. */
  readonly isExact: boolean
  /** Null: the row was written by a known transaction, or its sets are not known. */
  readonly total: Buffer | null
  readonly cells: Buffer | null
}

/** Returns the transactions that wrote the held rows of some spans, which have the same value of `alone`. */
export type KnownXmins = (wanted: readonly WantedRows[]) => ReadonlySet<number>

/**
 * Passes each row that starts in a wanted span to `take`, in the order of the wanted columns and tiers. One index scan per span: because of
 * `offset 0` the subquery is planned on its own, and its bytes are fetched once. Index: rollups_pkey.
 */
export const copyRows = (
  workspaceId: string,
  wanted: readonly WantedRows[],
  known: KnownXmins,
  take: (row: TierRow) => void,
): Copy => ({
  query: [...Map.groupBy(wanted, ({ columns, alone, mayBeKnown }) => `${columns} ${alone} ${mayBeKnown}`).values()]
    .map((spans) => selectRows(workspaceId, spans, known))
    .join('\nunion all\n'),
  take: (row) =>
    take({
      alone: required(readDouble(row)) === 1,
      isHead: required(readDouble(row)) === 1,
      tier: required(readDouble(row)) as Tier,
      startMs: readTimeUs(row) / 1_000,
      server: required(readDouble(row)),
      xmin: readXid(row),
      isExact: readBoolean(row),
      total: readBytes(row),
      cells: readBytes(row),
    }),
})

// A value that is stored out of line is split into pieces of 1,996 bytes, and nearly every head ends in the first one. The two bytes after
// the version are the length of the head, so that little more is sent. The rest of a total is fetched only if it is wanted.
const columnsOf = {
  head: {
    stored: { total: 'substring(total from 1 for 1996)', cells: 'null::bytea' },
    sent: 'substring(total from 1 for 3 + (get_byte(total, 1) & 127) + 128 * get_byte(total, 2)), cells',
  },
  total: { stored: { total: 'total', cells: 'null::bytea' }, sent: 'total, cells' },
  cells: { stored: { total: 'total', cells: 'cells' }, sent: 'total, cells' },
  sets: { stored: { total: 'sets', cells: 'null::bytea' }, sent: 'total, cells' },
} as const

// The second byte of the sets states which sets a row has; the lowest bit is that of traces. Without it, the head has an estimate.
const hasTraces = 'get_byte(substring(sets from 1 for 2), 1) & 1 = 1'

function selectRows(workspaceId: string, spans: readonly WantedRows[], known: KnownXmins): string {
  const [first] = spans
  const alone = first?.alone === true
  const columns = first?.columns ?? 'total'
  const { stored, sent } = columnsOf[columns]
  const list = (of: (span: WantedRows) => number): string => quoteIntegers(spans.map(of))
  const xmins = first?.mayBeKnown === true ? [...known(spans)] : []
  const unlessKnown = (column: string): string =>
    xmins.length === 0 ? column : `case when xmin = any (${quoteXids(xmins)}) then null else ${column} end`
  const isExact = alone ? `coalesce(${unlessKnown(hasTraces)}, false)` : 'sets is not null'
  return `select ${alone ? 1 : 0}::float8, ${columns === 'head' ? 1 : 0}::float8, tier::float8, start_time, date_part('epoch', pg_postmaster_start_time()), version, is_exact, ${sent}
from unnest(${list(({ tier }) => tier)}, ${list(({ fromMs }) => fromMs / 1_000)}, ${list(({ toMs }) => toMs / 1_000)})
  as span (of_tier, from_s, to_s)
cross join lateral (
  select tier, start_time, xmin as version, ${isExact} as is_exact, ${unlessKnown(stored.total)} as total, ${unlessKnown(stored.cells)} as cells
  from rollups
  where workspace_id = ${quoteUuid(workspaceId)} and tier = span.of_tier::smallint
    and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
  offset 0
) stored`
}
