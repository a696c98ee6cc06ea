// Runs of a tool, and the model calls that took their results, as seeds.
import { type EventSeed, hexId } from '../../_kit/events.ts'

const minuteMs = 60_000
const ids = { next: 1 }

export const agoText = (minutes: number): string => new Date(Date.now() - minutes * minuteMs).toISOString()

/** Returns a run of half a second that could be served, by default in its own trace. */
export function makeRun(minutesAgo: number, more: Partial<EventSeed> = {}): EventSeed {
  const id = ids.next++
  return {
    start: agoText(minutesAgo),
    trace: hexId(id, 32),
    span: hexId(id, 16),
    kind: 'tool',
    tool: 'search',
    inputHash: 'input',
    contentHash: 'content',
    keyId: 'key',
    attested: true,
    callId: `call ${id}`,
    durationUs: 500_000,
    ...more,
  }
}

/** Returns the model call that had the result of `run` in its prompt, a minute later. */
export function consume(run: EventSeed, isRead: boolean, more: Partial<EventSeed> = {}): EventSeed {
  const id = ids.next++
  const callIds = [run.callId ?? '']
  const start = new Date(Date.parse(run.start) + minuteMs).toISOString()
  const session = run.session ?? null
  return {
    start,
    trace: run.trace,
    span: hexId(id, 16),
    session,
    consumed: callIds,
    read: isRead ? callIds : [],
    ...more,
  }
}
