// Floor 3. What is not folded yet, one delta after the other.
import { type Copy, readBytes, told } from './copy-out.ts'
import { quoteTime, quoteUuid } from './quote.ts'
import type { Span } from './spans.ts'

/** Gives the body of each delta of a workspace that touches a window of whole minutes. Index: rollup_deltas_pkey. */
export const copyDeltas = (workspaceId: string, { fromMs, toMs }: Span, take: (body: Buffer) => void): Copy => ({
  query: `select body from rollup_deltas
where workspace_id = ${quoteUuid(workspaceId)} and from_time < ${quoteTime(toMs)} and to_time > ${quoteTime(fromMs)}`,
  take: (row) => take(told(readBytes(row))),
})
