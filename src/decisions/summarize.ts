// Counts the decisions of a workspace by state and type.
import { z } from 'zod'
import type { Runner } from '../store/database.ts'
import { decisionTypes } from './config.ts'
import { type State, states } from './lifecycle.ts'

const count = z.int().nonnegative()
const countsOut = z.object({ proposed: count, shadow: count, active: count, disabled: count })

export const decisionSummaryOut = z
  .object({
    total: count,
    by_state: countsOut,
    by_type: z
      .record(z.string(), countsOut)
      .meta({ description: 'Every known type, and any other type in the workspace' }),
  })
  .meta({ id: 'DecisionSummary' })

type Counts = Record<State, number>
type Row = { type: string; state: State; decisions: number }

const none = (): Counts => ({ proposed: 0, shadow: 0, active: 0, disabled: 0 })

/** One query over the decisions of the workspace. */
export async function summarizeDecisions(
  db: Pick<Runner, 'rows'>,
  workspaceId: string,
): Promise<z.input<typeof decisionSummaryOut>> {
  const byState = none()
  const byType = new Map<string, Counts>(decisionTypes.map((type) => [type, none()]))
  for (const { type, state, decisions } of await db.rows<Row>('decisions/summarize', [workspaceId])) {
    const counts = byType.get(type) ?? none()
    counts[state] += decisions
    byState[state] += decisions
    byType.set(type, counts)
  }
  const total = states.reduce((sum, state) => sum + byState[state], 0)
  return { total, by_state: byState, by_type: Object.fromEntries(byType) }
}
