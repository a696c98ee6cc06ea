// The Decision of the API: its schema, the database row and the conversion of the row.
import { z } from 'zod'
import { dateTimeOut, uuidOut } from '../web/shapes.ts'

export type DecisionRow = {
  id: string
  task_type_id: string | null
  type: string
  state: string
  previous_state: string | null
  config: Record<string, unknown>
  shadow_samples: number
  shadow_match_rate: number | null
  cost_delta_usd: number | null
  latency_delta_ms: number | null
  quality_delta: number | null
  score: Record<string, unknown> | null
  proposed_at: Date | null
  shadow_at: Date | null
  activated_at: Date | null
  disabled_at: Date | null
  created_at: Date
}

const freeForm = z.record(z.string(), z.unknown())

export const decisionOut = z
  .object({
    id: uuidOut,
    task_type_id: uuidOut.nullable(),
    type: z.string().meta({ examples: ['reuse_identity', 'suppress_dead'] }),
    state: z.string().meta({ examples: ['proposed', 'shadow', 'active', 'disabled'] }),
    previous_state: z.string().nullable(),
    config: freeForm.meta({ examples: [{ tool_name: 'search', freshness_s: 86_400, holdout_rate: 0.05 }] }),
    shadow_samples: z.number().int().nonnegative(),
    shadow_match_rate: z.number().nullable(),
    cost_delta_usd: z.number().nullable().meta({ description: 'Per served call; negative if the rule saves money' }),
    latency_delta_ms: z.number().nullable().meta({ description: 'Per served call; negative if the rule saves time' }),
    quality_delta: z.number().nullable(),
    score: freeForm.nullable(),
    proposed_at: dateTimeOut.nullable(),
    shadow_at: dateTimeOut.nullable(),
    activated_at: dateTimeOut.nullable(),
    disabled_at: dateTimeOut.nullable(),
    created_at: dateTimeOut,
  })
  .meta({ id: 'Decision', description: 'An optimization rule and its state in the lifecycle' })

/** Converts a row to the form of the API. Every field is present; an unset one is null. */
export function showDecision(row: DecisionRow): z.input<typeof decisionOut> {
  return {
    id: row.id,
    task_type_id: row.task_type_id,
    type: row.type,
    state: row.state,
    previous_state: row.previous_state,
    config: row.config,
    shadow_samples: row.shadow_samples,
    shadow_match_rate: row.shadow_match_rate,
    cost_delta_usd: row.cost_delta_usd,
    latency_delta_ms: row.latency_delta_ms,
    quality_delta: row.quality_delta,
    score: row.score,
    proposed_at: row.proposed_at?.toISOString() ?? null,
    shadow_at: row.shadow_at?.toISOString() ?? null,
    activated_at: row.activated_at?.toISOString() ?? null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
