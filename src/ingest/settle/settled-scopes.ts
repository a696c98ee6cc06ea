// The changes that settling makes to the counts of the instrumentation scope that sent a span: whether its call is reported twice, counts,
// and has no price, and whether its agent has a name.

import type { Resolved } from '../../resolve/resolve.ts'
import type { FactRow } from '../../rollups/read-facts.ts'
import { isModelCall } from '../../sketches/counters.ts'
import { type ScopeDelta, scopeSumsOf } from '../../sketches/scope-sums.ts'

/** A span as it was stored. */
export type ScopedSpan = {
  readonly workspace_id: string
  readonly counted: boolean
  readonly told_twice: boolean
  /** Null: the resource names the agent, or an older release stored the span. */
  readonly agent_unnamed: boolean | null
}

export type ScopedChange = { readonly span: ScopedSpan; readonly now: Resolved }

/** The columns of a stored span that scope counts need in addition to its fact. */
export type ScopeRow = {
  readonly scope_name: string | null
  readonly scope_version: string | null
  readonly dialect: string | null
}

/** The new value of the column `agent_unnamed`. */
export const agentUnnamed = ({ span, now }: ScopedChange): boolean | null =>
  span.agent_unnamed === null ? null : !now.hasAgent

export const isScopeMoved = (change: ScopedChange): boolean =>
  change.span.counted !== change.now.counted ||
  change.span.told_twice !== change.now.toldTwice ||
  change.span.agent_unnamed !== agentUnnamed(change)

const minuteMs = 60_000

/** Adds the difference to the delta of the workspace. */
export function addScopeChange(deltas: Map<string, ScopeDelta>, change: ScopedChange, row: FactRow & ScopeRow): void {
  if (!isScopeMoved(change)) return
  const { span, now } = change
  const delta: ScopeDelta = deltas.get(span.workspace_id) ?? new Map()
  deltas.set(span.workspace_id, delta)
  const scope = { name: row.scope_name, version: row.scope_version, dialect: row.dialect }
  const startMs = Math.floor(row.start_us / (minuteMs * 1_000)) * minuteMs
  const sums = scopeSumsOf(delta, startMs, scope, row.kind)
  sums.lastUs = Math.max(sums.lastUs, row.start_us)
  sums.toldTwice += Number(now.toldTwice) - Number(span.told_twice)
  sums.repeated += Number(now.toldTwice && !now.counted) - Number(span.told_twice && !span.counted)
  sums.agentsUnnamed += Number(agentUnnamed(change) === true) - Number(span.agent_unnamed === true)
  if (isModelCall(row) && row.unpriced) sums.unpriced += Number(now.counted) - Number(span.counted)
}
