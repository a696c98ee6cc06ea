// Finds turns of Claude's Agent SDK whose model calls Claude Code reports itself.
import type { CallSpan } from './call-span.ts'
import { clockSlackUs } from './told-twice.ts'
import { firstFrom } from './trace-tree.ts'

type Turn = CallSpan & { readonly sessionOwn: string | null; readonly hasUsage: boolean }

/** `openinference.instrumentation.claude_agent_sdk`, `@opentelemetry/instrumentation-claude-agent-sdk` */
const sdkScope = /claude[-_]agent[-_]sdk/
const codeScope = 'com.anthropic.claude_code'

/** Spans by their start. `ends`: for each of them, the latest end of it and those before it. */
type Timeline = { readonly starts: readonly number[]; readonly ends: readonly number[] }

type ToldTurns = {
  /** Turns that sum up other calls. */
  readonly turns: ReadonlySet<number>
  /** The calls of Claude Code that these turns sum up. */
  readonly calls: readonly number[]
  /** Those of `turns` during which a call of Claude Code failed. */
  readonly withFailedCall: ReadonlySet<number>
}

/**
 * Returns the turns that sum up calls which are among `reports` too, the indices of the spans that may be calls. A turn is the sum of those
 * calls of Claude Code with usage that run at its time, unless both name a session, and not the same one. Claude Code learns its parent span
 * when it starts, and the span of a turn starts later, so that the calls of the turn are not inside it. Cost: O(n log n) if there are such
 * spans, else O(n).
 */
export function findToldTurns(spans: readonly Turn[], reports: readonly number[]): ToldTurns {
  const at = (index: number): Turn => spans[index] as Turn
  const sums = reports.filter((index) => sdkScope.test(at(index).scopeName ?? ''))
  if (sums.length === 0) return noTurns
  const ofCode = reports.filter((index) => at(index).scopeName?.startsWith(codeScope))
  const calls = ofCode.filter((index) => at(index).hasUsage)
  const isTold = besideAny(calls.map(at))
  const turns = sums.filter((index) => isTold(at(index)))
  if (turns.length === 0) return noTurns
  const isOfTurn = besideAny(turns.map(at))
  const isOfFailed = besideAny(ofCode.map(at).filter(({ isError }) => isError))
  return {
    turns: new Set(turns),
    calls: calls.filter((index) => isOfTurn(at(index))),
    withFailedCall: new Set(turns.filter((index) => isOfFailed(at(index)))),
  }
}

const noTurns: ToldTurns = { turns: new Set(), calls: [], withFailedCall: new Set() }

/** Returns a function that tells whether one of `others` runs at the time of a span, and the two do not name different sessions. */
function besideAny(others: readonly Turn[]): (span: Turn) => boolean {
  const all = openTimeline(others)
  const bySession = new Map(
    [...Map.groupBy(others, ({ sessionOwn }) => sessionOwn)].map(([session, some]) => [session, openTimeline(some)]),
  )
  return (span) =>
    span.sessionOwn === null
      ? isAnyRunning(all, span)
      : isAnyRunning(bySession.get(span.sessionOwn), span) || isAnyRunning(bySession.get(null), span)
}

function openTimeline(some: readonly Turn[]): Timeline {
  const sorted = some.toSorted((a, b) => a.startTimeUs - b.startTimeUs)
  let latest = Number.NEGATIVE_INFINITY
  const ends = sorted.map(({ endTimeUs }) => {
    latest = Math.max(latest, endTimeUs)
    return latest
  })
  return { starts: sorted.map(({ startTimeUs }) => startTimeUs), ends }
}

function isAnyRunning(timeline: Timeline | undefined, { startTimeUs, endTimeUs }: Turn): boolean {
  if (timeline === undefined) return false
  // Times are whole microseconds.
  const later = firstFrom(timeline.starts, endTimeUs + clockSlackUs + 1)
  return (timeline.ends[later - 1] ?? Number.NEGATIVE_INFINITY) + clockSlackUs >= startTimeUs
}
