// Finds attempts of a request that are reported inside an earlier attempt, which failed.
import type { Kind } from '../event/event.ts'
import type { CallSpan } from './call-span.ts'
import { findNearestAround } from './nested-reports.ts'
import type { TraceTree } from './trace-tree.ts'

type Attempt = Pick<CallSpan, 'kind' | 'scopeName' | 'isError' | 'startTimeUs' | 'endTimeUs'>

/**
 * Returns the parents of the spans, but places a call beside the nearest call of its kind and scope around it if that one failed and had
 * ended before the inner one began: it is a retry or a fallback, and no report of the same call. A gateway that keeps the span of the failed
 * attempt as the current one reports them so. A failed attempt may have usage, which is billed. Cost: O(n), and for most traces no more than a
 * look at each span.
 */
export function placeBesideFailed(
  spans: readonly Attempt[],
  { order, parents }: Pick<TraceTree, 'order' | 'parents'>,
  kind: Kind,
): readonly number[] {
  if (!spans.some((span) => span.kind === kind && hasFailed(span))) return parents
  const around = findNearestAround(spans, order, parents, (span) => span.kind === kind)
  const placed = [...parents]
  // Parents come before their children, so that the place of the outer call is final.
  for (const index of order) {
    const place = around[index] ?? -1
    const [span, outer] = [spans[index], spans[place]]
    if (span?.kind === kind && outer !== undefined && isLater(span, outer)) placed[index] = placed[place] ?? -1
  }
  return placed
}

/** The duration of a span that begins and ends at once is not known. */
const hasFailed = ({ isError, startTimeUs, endTimeUs }: Attempt): boolean => isError && endTimeUs > startTimeUs

const isLater = (span: Attempt, failed: Attempt): boolean =>
  hasFailed(failed) &&
  failed.scopeName !== null &&
  failed.scopeName === span.scopeName &&
  failed.endTimeUs <= span.startTimeUs
