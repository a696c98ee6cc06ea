// The response schemas of the stats routes.
import { z } from 'zod'
import { dateTimeOut } from '../../web/shapes.ts'
import { tokenCountOut, usdOut } from '../events/event-shape.ts'

const countOut = z.number().int().nonnegative()
const durationOut = z.number().nonnegative().meta({
  description:
    'Percentile of the durations of all events, interpolated between the two nearest ranks; 0 if there is none. Within 1 % of its value; exact in a window with fewer than 5,000 events',
})
const distinctOut = countOut.meta({
  description:
    'Distinct values. Exact up to 100,000, unless more than 64 MiB of rollups must be read to count them or an earlier release wrote some of these; otherwise an estimate with a standard error of 0.8 %, or 1.6 % if filtered or grouped',
})
const tracesOut = distinctOut.meta({
  description: `Traces with an event that starts in the window. The list of traces has those that start in it: a trace that began earlier is \
counted here and not listed there. With agent_id, traces with an event of the agent; the list has those whose root is the agent's. \
${distinctOut.meta()?.description}`,
})
const unpricedOut = countOut.meta({ description: 'Calls without a known price; cost_usd does not include them' })
const windowOut = { from_time: dateTimeOut, to_time: dateTimeOut }

const modelRowOut = z
  .object({
    model: z.string().meta({ description: 'unknown if the sender did not name the model', examples: ['gpt-4.1-mini'] }),
    llm_calls: countOut,
    input_tokens: tokenCountOut,
    output_tokens: tokenCountOut,
    cached_tokens: tokenCountOut,
    cost_usd: usdOut,
  })
  .meta({ id: 'ModelRow' })

const errorsMeaning =
  'Failures: a failed call counts once, however many spans carry its error; an error outside of calls counts at the innermost span'

export const summaryOut = z
  .object({
    ...windowOut,
    total_events: countOut,
    llm_calls: countOut,
    traces: tracesOut,
    sessions: distinctOut,
    errors: countOut.meta({ description: errorsMeaning }),
    input_tokens: tokenCountOut,
    output_tokens: tokenCountOut,
    cached_tokens: tokenCountOut,
    cache_write_tokens: tokenCountOut,
    reasoning_tokens: tokenCountOut,
    cost_usd: usdOut,
    unpriced_calls: unpricedOut,
    estimated_cache_savings_usd: usdOut.meta({
      description: 'What prompt caching saved; negative if writing to the cache cost more',
    }),
    p50_duration_ms: durationOut,
    p95_duration_ms: durationOut,
    models: z.array(modelRowOut).meta({ description: 'Most expensive first, at most 1,000' }),
  })
  .meta({ id: 'StatsSummary', description: 'The totals of one window and of each model in it' })

/** The sums that points of a time series and rows of a breakdown have in common. */
const sums = {
  events: countOut,
  llm_calls: countOut,
  tool_calls: countOut,
  served_calls: countOut,
  errors: countOut.meta({ description: errorsMeaning }),
  input_tokens: tokenCountOut,
  output_tokens: tokenCountOut,
  cached_tokens: tokenCountOut,
  cost_usd: usdOut,
  unpriced_calls: unpricedOut,
  p50_duration_ms: durationOut,
  p95_duration_ms: durationOut,
}

/** The sums by their names in the interface. */
export type Sums = Record<keyof typeof sums, number>

const pointOut = z
  .object({
    time: dateTimeOut.meta({ description: 'Start of the bucket; the first may begin before the window' }),
    ...sums,
    traces: distinctOut,
    cache_write_tokens: tokenCountOut,
  })
  .meta({ id: 'StatsPoint' })

export type StatsPoint = z.input<typeof pointOut>

export const seriesOut = z
  .object({
    ...windowOut,
    interval_s: z.number().int().positive(),
    series: z.array(
      z
        .object({
          key: z.string().meta({
            description: 'all if not grouped; the id of an agent; other for the remaining series',
            examples: ['all'],
          }),
          label: z.string().meta({ description: 'The key in readable form; for an agent, its name' }),
          points: z.array(pointOut),
        })
        .meta({ id: 'StatsSeries' }),
    ),
  })
  .meta({
    id: 'StatsTimeseries',
    description: 'The totals of each bucket of one window; empty buckets have zeros',
  })

const breakdownRowOut = z
  .object({ key: z.string(), label: z.string(), ...sums, distinct_inputs: distinctOut })
  .meta({ id: 'BreakdownRow' })

export type BreakdownRow = z.input<typeof breakdownRowOut>

export const breakdownOut = z
  .object({
    items: z.array(breakdownRowOut).meta({ description: 'Largest first' }),
    other: breakdownRowOut.nullable().meta({ description: 'The sum of all others; null if there are none' }),
  })
  .meta({ id: 'StatsBreakdown' })
