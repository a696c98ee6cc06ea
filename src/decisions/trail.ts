// The audit trail of a decision: each transition, who made it and why. Entries never change.
import { z } from 'zod'
import { dateTimeOut, uuidOut } from '../web/shapes.ts'

export type TransitionRow = {
  id: string
  from_state: string | null
  to_state: string
  actor: 'gate' | 'user'
  user_id: string | null
  reason: string | null
  measures: Record<string, unknown> | null
  at: Date
}

export const transitionOut = z
  .object({
    id: uuidOut,
    from_state: z.string().nullable().meta({ description: 'Null for the entry that created the decision' }),
    to_state: z.string(),
    actor: z.enum(['gate', 'user']),
    user_id: uuidOut.nullable(),
    reason: z.string().nullable(),
    measures: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The measurements at the time of the move. If an active rule ends without any, those that were made last while it was active, with a score of null if there were none',
    }),
    at: dateTimeOut,
  })
  .meta({ id: 'DecisionTransition' })

/** Converts a row to the form of the API. */
export const showTransition = (row: TransitionRow): z.input<typeof transitionOut> => ({
  id: row.id,
  from_state: row.from_state,
  to_state: row.to_state,
  actor: row.actor,
  user_id: row.user_id,
  reason: row.reason,
  measures: row.measures,
  at: row.at.toISOString(),
})
