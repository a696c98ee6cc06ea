// The Finding of the API: its schema, the database row and the conversion of the row.
import { z } from 'zod'
import { dateTimeOut, uuidOut } from '../web/shapes.ts'

export const severities = ['info', 'warning', 'critical'] as const
export const statuses = ['open', 'acknowledged', 'resolved'] as const

export type FindingRow = {
  id: string
  type: string
  severity: (typeof severities)[number]
  status: (typeof statuses)[number]
  title: string
  detail: string
  agent_id: string | null
  tool_name: string | null
  model: string | null
  occurrences: number
  est_monthly_cost_usd: number | null
  evidence: Record<string, unknown>
  decision_id: string | null
  first_seen: Date
  last_seen: Date
}

export const findingOut = z
  .object({
    id: uuidOut,
    type: z.string().meta({ examples: ['repeated_tool_call'] }),
    severity: z.enum(severities),
    status: z.enum(statuses),
    title: z.string(),
    detail: z.string(),
    agent_id: uuidOut.nullable(),
    tool_name: z.string().nullable(),
    model: z.string().nullable(),
    occurrences: z.number().int().nonnegative(),
    est_monthly_cost_usd: z.number().nullable().meta({
      description:
        'The mean daily cost of the observed days (`evidence.observed`), times 30. Null if no event reports a price, or if less than 24 hours were observed; `evidence.price.seen_usd` is then the observed cost.',
    }),
    evidence: z
      .record(z.string(), z.unknown())
      .meta({ examples: [{ trace_ids: ['5b8efff798038103d269b633813fc60c'] }] }),
    decision_id: uuidOut.nullable(),
    first_seen: dateTimeOut,
    last_seen: dateTimeOut,
  })
  .meta({
    id: 'Finding',
    description: 'Waste or a fault that was detected in traces, with its evidence and its estimated cost',
  })

/** Converts a row to the form of the API. */
export function showFinding(row: FindingRow): z.input<typeof findingOut> {
  return {
    id: row.id,
    type: row.type,
    severity: row.severity,
    status: row.status,
    title: row.title,
    detail: row.detail,
    agent_id: row.agent_id,
    tool_name: row.tool_name,
    model: row.model,
    occurrences: row.occurrences,
    est_monthly_cost_usd: row.est_monthly_cost_usd,
    evidence: row.evidence,
    decision_id: row.decision_id,
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
  }
}
