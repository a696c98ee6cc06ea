// Floor 3. What settling changes in the rollups: each span whose agent, session or counted flag moved is taken away as it was and
// added as it is.
import { addToDelta, type Delta } from '../../measure/delta.ts'
import { makeFact } from '../../measure/fact.ts'
import type { Resolved } from '../../otlp/trace/resolve.ts'
import { appendDeltas } from '../../rollups/append-deltas.ts'
import { type FactRow, fillFact } from '../../rollups/read-facts.ts'
import type { Tx } from '../../store/database.ts'

/** A span as it was stored. */
export type CountedSpan = {
  readonly workspace_id: string
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
  readonly counted: boolean
  readonly is_error: boolean
  readonly error_carried: boolean
}

type Change = { readonly span: CountedSpan; readonly now: Resolved }

export type SettledCounts = {
  /** All spans of a trace of which some change, with what each now is. */
  noteTrace(spans: readonly Change[]): void
  /** After their rows were changed: one statement. */
  addChanges(tx: Tx, changes: readonly Change[]): Promise<void>
  /** One insert. */
  append(tx: Tx): Promise<void>
}

const minuteUs = 60_000_000

export function makeSettledCounts(): SettledCounts {
  const deltas = new Map<string, Delta>()
  const stale = new Map<string, Set<number>>()
  const fact = makeFact()

  return {
    noteTrace(spans) {
      const left = new Set(spans.flatMap(({ span, now }) => listTraces(span, now.agentName, now.sessionId)))
      for (const { span, now } of spans) {
        if (span.agent_name === now.agentName && span.session_id === now.sessionId) continue
        if (listTraces(span, span.agent_name, span.session_id).every((place) => left.has(place))) continue
        const minutes = stale.get(span.workspace_id) ?? new Set()
        stale.set(span.workspace_id, minutes.add(minuteOf(span) * (minuteUs / 1_000)))
      }
    },

    async addChanges(tx, changes) {
      const moved = changes.filter(isMoved)
      if (moved.length === 0) return
      const rows = await tx.rows<FactRow & { place: number }>('ingest/read-changed-facts', [
        moved.map(({ span }) => span.workspace_id),
        moved.map(({ span }) => span.start_time_us),
        moved.map(({ span }) => span.trace_id),
        moved.map(({ span }) => span.span_id),
      ])
      for (const row of rows) {
        const span = moved[row.place - 1]?.span
        if (span === undefined) throw new Error('a fact does not belong to any changed span')
        const delta = deltas.get(span.workspace_id) ?? new Map()
        deltas.set(span.workspace_id, delta)
        addToDelta(delta, fillFact(fact, row), 1)
        const { agent_id, session_id, counted } = span
        const error = span.is_error && !span.error_carried
        addToDelta(delta, fillFact(fact, { ...row, agent_id, session_id, counted, error }), -1)
      }
    },

    append: async (tx) => await appendDeltas(tx, deltas, stale),
  }
}

const isMoved = ({ span, now }: Change): boolean =>
  span.agent_name !== now.agentName ||
  span.session_id !== now.sessionId ||
  span.counted !== now.counted ||
  span.error_carried !== now.errorCarried

const minuteOf = ({ start_time_us }: CountedSpan): number => Math.floor(start_time_us / minuteUs)

/**
 * What the distinct sets of its minute hold because of a span of this agent and session. Where none of its trace is left that
 * would put it there, it must go; whether another trace does, only a count of the whole minute could say.
 */
function listTraces(span: CountedSpan, agentName: string, sessionId: string | null): string[] {
  const minute = minuteOf(span)
  const cell = JSON.stringify([minute, agentName, span.kind, span.model, span.tool_name])
  return [
    cell,
    ...(span.input_hash === null ? [] : [`${cell} ${span.input_hash}`]),
    ...(sessionId === null ? [] : [`${minute} ${sessionId}`, `${minute} ${agentName} ${sessionId}`]),
  ]
}
