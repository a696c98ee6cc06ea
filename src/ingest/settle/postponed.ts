// Traces that could not be settled. They are retried at growing intervals, and skipped in between.
import { makeBackoff } from '../../base/backoff.ts'
import type { TraceKey } from './trace-span.ts'

export type PostponedTraces = {
  /** The traces whose next attempt is not due yet. */
  list(nowMs: number): TraceKey[]
  /** Records another failure. The delay doubles with each failure, from 5 s to 10 min. */
  add(trace: TraceKey, nowMs: number): void
  remove(trace: TraceKey): void
}

const firstDelayMs = 5_000
const maxDelayMs = 600_000
// Each entry costs a comparison for each due trace.
const maxTraces = 200

export function makePostponedTraces(): PostponedTraces {
  const backoff = makeBackoff({ firstDelayMs, maxDelayMs, maxKeys: maxTraces })
  return {
    list: (nowMs) => backoff.listWaiting(nowMs).map(readKey),
    add: (trace, nowMs) => backoff.fail(writeKey(trace), nowMs),
    remove: (trace) => backoff.succeed(writeKey(trace)),
  }
}

const writeKey = (trace: TraceKey): string => `${trace.workspace_id} ${trace.trace_id.toString('hex')}`

function readKey(key: string): TraceKey {
  const [workspaceId = '', traceId = ''] = key.split(' ')
  return { workspace_id: workspaceId, trace_id: Buffer.from(traceId, 'hex') }
}
