// Reads what serving stored results costs in prompt caching, for many decisions at once.
import type { Runner } from '../../store/database.ts'
import { type CacheSums, measureCacheLoss } from '../measure-caching.ts'

export type ServedSubject = {
  readonly id: string
  readonly tool_name: string
  readonly tool_version: string | null
  readonly input_hash: string | null
  readonly agent_id: string | null
  /** Time of the last call that it served or held out in the window, as PostgreSQL's text. */
  readonly last_at: string
}

type Row = CacheSums & { readonly id: string }

const sampledCalls = 200
// A window may contain few calls that ran for real, so those of the week before it are read as well.
const beforeMs = 7 * 86_400_000

/**
 * Returns the loss in USD per served call by decision id, from the newest 200 served and 200 real calls of each decision, from a week before
 * the start of the window to `last_at`. Decisions with an unknown loss are left out. One statement.
 */
export async function readCacheLosses(
  db: Pick<Runner, 'rows'>,
  workspaceId: string,
  rules: readonly ServedSubject[],
  window: { readonly from: Date; readonly to: Date },
): Promise<Map<string, number>> {
  const rows = await db.rows<Row>('decisions/weigh-caches', [
    workspaceId,
    rules.map(({ id }) => id),
    rules.map((rule) => rule.tool_name),
    rules.map((rule) => rule.tool_version),
    rules.map((rule) => rule.agent_id),
    rules.map((rule) => rule.input_hash),
    new Date(window.from.getTime() - beforeMs),
    window.to,
    rules.map((rule) => rule.last_at),
    sampledCalls,
  ])
  const losses = new Map<string, number>()
  for (const [id, own] of Map.groupBy(rows, (row) => row.id)) {
    const lossUsd = measureCacheLoss(own)
    if (lossUsd !== null) losses.set(id, lossUsd)
  }
  return losses
}
