// Lists the newest trials of a decision, a page at a time.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import type { PhaseName } from './phase.ts'

export type TrialQuery = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly matched: boolean | undefined
  readonly phase: PhaseName | undefined
  readonly limit: number
  readonly cursor: string | undefined
}

export type TrialRow = {
  start_time: Date
  start_key: string
  trace_id: string
  span_id: string
  candidate_trace_id: string | null
  candidate_span_id: string | null
  age_s: number
  matched: boolean
}

export type TrialPage = { readonly trials: readonly TrialRow[]; readonly nextCursor: string | null }

type Deps = { readonly db: Database; readonly cursors: Cursors }

/** The last trial of the previous page. */
type State = readonly [startKey: string, traceId: string, spanId: string]

/** Returns one page, oldest first, of the newest 1,000 right and 1,000 wrong trials. Two statements. */
export async function listTrials(
  { db, cursors }: Deps,
  query: TrialQuery,
): Promise<Outcome<TrialPage, 'unknown' | 'cursor_invalid'>> {
  const { workspaceId, decisionId, matched, phase, limit } = query
  const scope = { route: 'trials', workspaceId, filters: { decision_id: decisionId, matched, phase } }
  const opened = query.cursor === undefined ? null : cursors.open<State>(scope, query.cursor)
  if (opened?.ok === false) return opened
  if ((await db.row('decisions/find', [workspaceId, decisionId])) === null) return refuse('unknown')
  const rows = await db.rows<TrialRow>('decisions/list-trials', [
    workspaceId,
    decisionId,
    matched ?? null,
    phase ?? null,
    ...(opened?.value.state ?? [null, null, null]),
    limit + 1,
  ])
  const trials = rows.slice(0, limit)
  const last = rows.length > limit ? trials.at(-1) : undefined
  if (last === undefined) return ok({ trials, nextCursor: null })
  const state: State = [last.start_key, last.trace_id, last.span_id]
  return ok({ trials, nextCursor: cursors.seal(scope, state, opened?.value.firstReadMs) })
}
