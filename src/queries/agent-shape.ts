// The Agent of the interface: its schema, its database row, and the conversion from row to schema.
import { z } from 'zod'
import { dateTimeOut, uuidOut } from '../web/shapes.ts'

export type AgentRow = { id: string; name: string; models: string[]; first_seen: Date; last_seen: Date }

const activeForMs = 86_400_000

export const agentOut = z
  .object({
    id: uuidOut,
    name: z.string(),
    status: z.enum(['active', 'idle']).meta({ description: 'active: seen in the last 24 hours' }),
    models: z
      .array(z.string())
      .meta({ description: 'Models that the agent called, in order of name', examples: [['gpt-4.1-mini']] }),
    first_seen: dateTimeOut,
    last_seen: dateTimeOut,
  })
  .meta({ id: 'Agent', description: 'One agent of a workspace' })

/** Converts one agent to the form that the interface shows at `nowMs`. */
export function showAgent(row: AgentRow, nowMs: number): z.input<typeof agentOut> {
  return {
    id: row.id,
    name: row.name,
    status: nowMs - row.last_seen.getTime() < activeForMs ? 'active' : 'idle',
    models: row.models.toSorted(),
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
  }
}
