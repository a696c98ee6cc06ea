// Mistakes of real fleets, so that the usage page has something to explain: a machine with a wrong clock, one that sends spans too late,
// and an exporter that repeats a request.
import { gzipSync } from 'node:zlib'
import { encodeRequest, makeResourceSpans, makeSpan } from '../_kit/spans.ts'
import { makeChance } from './chance.ts'
import { type HistoryOptions, tellHistory } from './history.ts'
import { exportSpans } from './interface.ts'

export const late = 12
export const early = 5
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
/** Beyond any limit that the service can be configured to accept, in the past and in the future. */
const lateMs = 90 * dayMs
const earlyMs = 2 * dayMs

export type Mistakes = { readonly rejected: number; readonly repeated: number }

/** Sent after the history, whose first request it repeats. */
export async function sendMistakes(url: string, key: string, options: HistoryOptions): Promise<Mistakes> {
  const ids = makeChance(options.seed, options.endMs)
  const spansFrom = (count: number, startMs: number) =>
    Array.from({ length: count }, (_, at) =>
      makeSpan({
        traceId: ids.hex(16),
        spanId: ids.hex(8),
        name: 'execute_tool list_changed_pages',
        start: startMs + at * 1_000,
        durationMs: 90,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'list_changed_pages',
          'gen_ai.agent.name': 'docs-indexer',
        },
      }),
    )
  const spans = [...spansFrom(late, options.endMs - lateMs), ...spansFrom(early, options.endMs + earlyMs)]
  const resource = { 'service.name': 'docs-indexer', 'deployment.environment.name': 'staging' }
  const { rejected } = await exportSpans(url, key, gzipSync(encodeRequest([makeResourceSpans({ resource, spans })])))
  const [first] = tellHistory(options)
  if (first === undefined) return { rejected, repeated: 0 }
  await exportSpans(url, key, first.body)
  return { rejected, repeated: first.spans }
}
