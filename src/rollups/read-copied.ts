// Floor 3. A page of rows with their cells by binary COPY. Any other way the driver has bytes sent as text twice as long, and turning
// that back takes longer than all that is done with them.
import { to as copyTo } from 'pg-copy-streams'
import { guard, type Tx } from '../store/database.ts'

export type CopiedRow = { readonly start_s: number; readonly total: Buffer; readonly cells: Buffer }

// Of each span of a tier the first rows, and so many at most. Fewer are all there are.
const statement = `copy (
  select r.*
  from unnest(current_setting('tracewright.from_s')::bigint[], current_setting('tracewright.to_s')::bigint[])
    as span (from_s, to_s)
  cross join lateral (
    select extract(epoch from start_time)::bigint as start_s, total, cells
    from rollups
    where workspace_id = current_setting('tracewright.workspace_id')::uuid
      and tier = current_setting('tracewright.tier')::smallint
      and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
    order by start_time
    limit current_setting('tracewright.limit')::bigint
  ) r
  limit current_setting('tracewright.limit')::bigint
) to stdout (format binary)`

// Signature, flags and an empty header extension, as the manual's "Binary Format" gives them; a count of -1 ends the file.
const headerBytes = 19

/** `values`: workspace, tier, starts and ends of spans in seconds, most rows: those of rollups/read-totals. Throws Outage. */
export async function readCopied(tx: Tx, values: readonly unknown[]): Promise<CopiedRow[]> {
  await tx.run('rollups/tell-page', values)
  const parts: Buffer[] = []
  // All of it before any of it is looked at: a connection that is left in the middle of a COPY is good for nothing.
  await guard(async () => {
    for await (const part of tx.client.query(copyTo(statement))) parts.push(part as Buffer)
  })
  const bytes = Buffer.concat(parts)
  const rows: CopiedRow[] = []
  let at = headerBytes
  const next = (): Buffer => {
    const from = at + 4
    at = from + bytes.readInt32BE(at)
    return bytes.subarray(from, at)
  }
  while (bytes.readInt16BE(at) !== -1) {
    at += 2
    rows.push({ start_s: Number(next().readBigInt64BE()), total: next(), cells: next() })
  }
  return rows
}
