// The changes that settling makes to the rollups and to the counts of instrumentation scopes. Each span whose agent, session, counted flag,
// error, reasoning tokens or inferred tools change is subtracted as it was and added as it is.

import { parseToolNames } from '../../event/tool-lines.ts'
import type { Resolved } from '../../resolve/resolve.ts'
import { appendDeltas } from '../../rollups/append-deltas.ts'
import { eachFactOf, type FactRow } from '../../rollups/read-facts.ts'
import { appendScopes } from '../../rollups/scopes/append-scopes.ts'
import { addToDelta, type Delta } from '../../sketches/delta.ts'
import { makeFact } from '../../sketches/fact.ts'
import type { ScopeDelta } from '../../sketches/scope-sums.ts'
import type { Tx } from '../../store/database.ts'
import { addScopeChange, isScopeMoved, type ScopedSpan, type ScopeRow } from './settled-scopes.ts'

/** A span as it was stored. */
export type CountedSpan = ScopedSpan & {
  readonly trace_id: string
  readonly span_id: string
  readonly start_time_us: number
  readonly kind: string
  readonly model: string | null
  readonly tool_name: string | null
  readonly input_hash: string | null
  readonly agent_id: string
  readonly agent_name: string
  readonly session_id: string | null
  readonly is_error: boolean
  readonly error_carried: boolean
  readonly reasoning_tokens: number | null
  readonly inferred_tools: string | null
}

type Change = { readonly span: CountedSpan; readonly now: Resolved; readonly inferredTools: string | null }

export type SettledCounts = {
  /** Records all spans of a trace in which some spans change, with their new state. */
  noteTrace(spans: readonly Change[]): void
  /** Call after the rows were changed. One statement. */
  addChanges(tx: Tx, changes: readonly Change[]): Promise<void>
  /** Writes the changes: at most two inserts. */
  append(tx: Tx): Promise<void>
}

const minuteUs = 60_000_000

export function makeSettledCounts(): SettledCounts {
  const deltas = new Map<string, Delta>()
  const stale = new Map<string, Set<number>>()
  const scopes = new Map<string, ScopeDelta>()
  const fact = makeFact()

  return {
    noteTrace(spans) {
      const left = new Set(
        spans.flatMap(({ span, now, inferredTools }) => listTraces(span, now.agentName, now.sessionId, inferredTools)),
      )
      for (const { span, now, inferredTools } of spans) {
        const isSame = span.agent_name === now.agentName && span.session_id === now.sessionId
        if (isSame && (span.inferred_tools ?? inferredTools) === inferredTools) continue
        const before = listTraces(span, span.agent_name, span.session_id, span.inferred_tools)
        if (before.every((place) => left.has(place))) continue
        const minutes = stale.get(span.workspace_id) ?? new Set()
        stale.set(span.workspace_id, minutes.add(minuteOf(span) * (minuteUs / 1_000)))
      }
    },

    async addChanges(tx, changes) {
      const moved = changes.filter((change) => isMoved(change) || isScopeMoved(change))
      if (moved.length === 0) return
      const rows = await tx.rows<FactRow & ScopeRow & { place: number }>('ingest/read-changed-facts', [
        moved.map(({ span }) => span.workspace_id),
        moved.map(({ span }) => span.start_time_us),
        moved.map(({ span }) => span.trace_id),
        moved.map(({ span }) => span.span_id),
        ...findBounds(moved),
      ])
      for (const row of rows) {
        const change = moved[row.place - 1]
        if (change === undefined) throw new Error('a fact does not belong to any changed span')
        const { span } = change
        addScopeChange(scopes, change, row)
        if (!isMoved(change)) continue
        const delta = deltas.get(span.workspace_id) ?? new Map()
        deltas.set(span.workspace_id, delta)
        eachFactOf(fact, row, (one) => addToDelta(delta, one, 1))
        const { agent_id, session_id, counted, reasoning_tokens, inferred_tools } = span
        const error = span.is_error && !span.error_carried
        const before = { ...row, agent_id, session_id, counted, error, reasoning_tokens, inferred_tools }
        eachFactOf(fact, before, (one) => addToDelta(delta, one, -1))
      }
    },

    async append(tx) {
      appendDeltas(tx, deltas, stale)
      appendScopes(tx, scopes)
    },
  }
}

/** Returns the first and the last start time, rounded outwards to milliseconds, so that only the chunks of this period are read. */
function findBounds(changes: readonly Change[]): readonly [first: Date, last: Date] {
  let firstUs = Number.POSITIVE_INFINITY
  let lastUs = Number.NEGATIVE_INFINITY
  for (const { span } of changes) {
    firstUs = Math.min(firstUs, span.start_time_us)
    lastUs = Math.max(lastUs, span.start_time_us)
  }
  return [new Date(Math.floor(firstUs / 1_000)), new Date(Math.ceil(lastUs / 1_000))]
}

const isMoved = ({ span, now, inferredTools }: Change): boolean =>
  span.agent_name !== now.agentName ||
  span.session_id !== now.sessionId ||
  span.counted !== now.counted ||
  span.error_carried !== now.errorCarried ||
  span.reasoning_tokens !== now.reasoningTokens ||
  span.inferred_tools !== inferredTools

const minuteOf = ({ start_time_us }: CountedSpan): number => Math.floor(start_time_us / minuteUs)

/**
 * Returns keys of what a span of this agent and session contributes to the distinct sets of its minute. If no span of the trace contributes
 * a key any more, the sets may have to lose it. Only a recount of the whole minute shows whether another trace still contributes it.
 */
function listTraces(
  span: CountedSpan,
  agentName: string,
  sessionId: string | null,
  inferredTools: string | null,
): string[] {
  const minute = minuteOf(span)
  const nameCell = (kind: string, model: string | null, tool: string | null): string =>
    JSON.stringify([minute, agentName, kind, model, tool])
  const cell = nameCell(span.kind, span.model, span.tool_name)
  return [
    cell,
    ...parseToolNames(inferredTools).map((tool) => nameCell('tool', null, tool)),
    ...(span.input_hash === null ? [] : [`${cell} ${span.input_hash}`]),
    ...(sessionId === null ? [] : [`${minute} ${sessionId}`, `${minute} ${agentName} ${sessionId}`]),
  ]
}
