// Reads deltas that are not folded yet, one after the other.
import { type Copy, readBytes } from '../store/copy-out.ts'
import type { TimeSpan } from './spans.ts'
import { quoteTime, quoteUuid } from './sql-literals.ts'

/**
 * Reads one column of each delta of a workspace that touches a window of whole minutes and changes counts. `sets` is null if the sets are
 * not known. Index: rollup_deltas_pkey.
 */
export const copyDeltas = (
  workspaceId: string,
  { fromMs, toMs }: TimeSpan,
  column: 'body' | 'sets',
  take: (bytes: Buffer | null) => void,
): Copy => ({
  query: `select ${column} from rollup_deltas
where workspace_id = ${quoteUuid(workspaceId)} and from_time < ${quoteTime(toMs)} and to_time > ${quoteTime(fromMs)}
  and octet_length(body) > 0`,
  take: (row) => take(readBytes(row)),
})
