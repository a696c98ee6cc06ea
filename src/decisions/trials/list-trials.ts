// Floor 3. The trials of a decision in the order in which they were judged, a page at a time.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Cursors } from '../../web/page.ts'
import { findMeasured, latestPhaseOf, type PhaseName, phaseOf } from './phase.ts'
import type { Place } from './read-executions.ts'
import { type JudgedTrial, type WalkBounds, walkTrials } from './walk-trials.ts'

export type TrialQuery = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly matched: boolean | undefined
  readonly phase: PhaseName | undefined
  readonly limit: number
  readonly cursor: string | undefined
}

export type TrialPage = { readonly trials: readonly JudgedTrial[]; readonly nextCursor: string | null }

type Deps = { readonly db: Database; readonly cursors: Cursors }

/** The phase that is listed, and the last trial that was looked at. */
type State = readonly [phase: PhaseName, startUs: number, traceId: string, spanId: string]

// A page is mostly full after one look; beyond so many trials it is given short.
const pageWalk: WalkBounds = { inLook: 2_000, looks: 50 }
const maxScanned = 10_000

/**
 * One page, oldest first, of one phase: where none is named, of the one that runs or ran last. Short or empty where the filter matches
 * rarely; a cursor then goes on behind what was looked at. About 20 ms, 1 s at most.
 */
export async function listTrials(
  deps: Deps,
  query: TrialQuery,
): Promise<Outcome<TrialPage, 'unknown' | 'cursor_invalid'>> {
  const { workspaceId, decisionId, matched, limit } = query
  const filters = { decision_id: decisionId, matched, phase: query.phase }
  const scope = { route: 'trials', workspaceId, filters }
  const opened = query.cursor === undefined ? null : deps.cursors.open<State>(scope, query.cursor)
  if (opened?.ok === false) return opened
  const row = await findMeasured(deps.db, workspaceId, decisionId)
  if (row === null) return refuse('unknown')
  const name = opened?.value.state[0] ?? query.phase
  const phase = name === undefined ? latestPhaseOf(row) : phaseOf(row, name)
  if (phase === null) return ok({ trials: [], nextCursor: null })

  const place = opened === null ? null : toPlace(opened.value.state)
  const trials: JudgedTrial[] = []
  let last: JudgedTrial | null = null
  let scanned = 0
  let isCut = false
  await walkTrials(
    deps.db,
    phase,
    place?.startUs ?? phase.beganUs,
    (trial) => {
      if (place !== null && !isBehind(trial, place)) return true
      if (trials.length === limit || scanned === maxScanned) {
        isCut = true
        return false
      }
      scanned += 1
      last = trial
      if (matched === undefined || trial.matched === matched) trials.push(trial)
      return true
    },
    pageWalk,
  )
  if (!isCut || last === null) return ok({ trials, nextCursor: null })
  const { startUs, traceId, spanId }: JudgedTrial = last
  const state: State = [phase.name, startUs, traceId, spanId]
  return ok({ trials, nextCursor: deps.cursors.seal(scope, state, opened?.value.firstReadMs) })
}

const toPlace = ([, startUs, traceId, spanId]: State): Place => ({ startUs, traceId, spanId })

function isBehind(trial: Place, place: Place): boolean {
  if (trial.startUs !== place.startUs) return trial.startUs > place.startUs
  return trial.traceId === place.traceId ? trial.spanId > place.spanId : trial.traceId > place.traceId
}
