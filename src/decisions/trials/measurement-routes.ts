// HTTP routes for the measurements of a decision and the executions that they rest on.
import { z } from 'zod'
import { ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { type Cursors, cursorInvalid, cursorParam } from '../../web/page.ts'
import { type Route, route } from '../../web/route.ts'
import { booleanParam, dateTimeOut, limitParam, uuid, workspaceParams } from '../../web/shapes.ts'
import { decisionNotFound } from '../codes.ts'
import { type EvidencePoint, listMeasurements, type MeasurementPoint } from './list-measurements.ts'
import { listTrials, type TrialRow } from './list-trials.ts'
import { phaseNames } from './phase.ts'

const path = '/v1/workspaces/{workspace_id}/decisions/{decision_id}'
const params = workspaceParams.extend({ decision_id: uuid })
const phaseParam = z.enum(phaseNames).optional().meta({ description: 'Default: both phases' })

const share = z.number().min(0).max(1)
const count = z.number().int().nonnegative()
const rungOut = z.object({
  freshness_s: z
    .number()
    .int()
    .positive()
    .nullable()
    .meta({ description: 'The age limit; null for a rule of type suppress_dead' }),
  block_s: z.number().int().positive().meta({ description: 'Length of a period' }),
  forced: z.boolean().meta({ description: 'A user activated the rule at this age limit without a proof' }),
  points: z.array(
    z.object({
      time: dateTimeOut,
      evidence: z
        .number()
        .nonnegative()
        .meta({ description: 'The rule is proven at this age limit when the evidence reaches 1/alpha' }),
      trials: count.meta({ description: 'Trials so far; 0 where the evidence restarts after a breach' }),
      wrong: count,
    }),
  ),
})

const measurementsOut = z
  .object({
    floor: share,
    alpha: share,
    points: z.array(
      z.object({
        trial: z.number().int().positive().meta({ description: 'Trials so far' }),
        time: dateTimeOut,
        matches: z.number().int().nonnegative(),
        rate: share,
        lower: share,
        upper: share,
      }),
    ),
    rungs: z.array(rungOut).meta({
      description: 'The evidence at every age limit, lowest first; a forced age limit comes before all others',
    }),
  })
  .meta({ id: 'DecisionMeasurements' })

const traceIdOut = z.string().meta({ description: '32 lower-case hex characters' })
const spanIdOut = z.string().meta({ description: '16 lower-case hex characters' })

const trialOut = z
  .object({
    at: dateTimeOut,
    trace_id: traceIdOut,
    span_id: spanIdOut,
    candidate_trace_id: traceIdOut
      .nullable()
      .meta({ description: 'The execution whose result would have been served' }),
    candidate_span_id: spanIdOut.nullable(),
    age_s: z
      .number()
      .nullable()
      .meta({ description: 'Seconds from the end of that execution to the start of this one' }),
    matched: z.boolean().nullable().meta({ description: 'Null if the results cannot be compared' }),
    counted: z.boolean(),
    excluded_reason: z.enum(['no_candidate', 'no_content_hash', 'not_consumed', 'pending', 'clustered']).nullable(),
  })
  .meta({ id: 'DecisionTrial' })

const trialPageOut = z
  .object({
    items: z.array(trialOut),
    next_cursor: z.string().nullable().meta({ description: 'Fetches the next page; null on the last page' }),
  })
  .meta({ id: 'DecisionTrialPage' })

const measurementsDescription = `points has at most 250 points of one age limit: the one that the rule serves, or the next one to prove. It has one point for each \
period of that length in which the rule was tested; the last point is exact. A rule of type suppress_dead is tested by session, in periods of ten minutes: its \
trials are sessions, and a session matches if no model used a result in it. lower is the lower bound of the share of right results. rungs has the \
evidence at every age limit.`

const trialsDescription = `The newest real executions that the rule would have answered, including held-out ones: at most 1,000 of each outcome, oldest first, \
each with the execution whose result would have been served. For a rule of type suppress_dead: the first execution of each session.`

/** `db`: for reads. */
export function makeMeasurementRoutes(deps: { readonly db: Database; readonly cursors: Cursors }): Route[] {
  return [
    route({
      method: 'GET',
      path: `${path}/measurements`,
      tag: 'Decisions',
      summary: 'Get the measured match rate of a decision over time',
      description: measurementsDescription,
      auth: 'session',
      role: 'viewer',
      params,
      query: z.object({ phase: phaseParam }),
      status: 200,
      response: measurementsOut,
      refusals: decisionNotFound,
      handle: async ({ params: ids, query }) => {
        const listed = await listMeasurements(deps.db, ids.workspace_id, ids.decision_id, query.phase)
        if (!listed.ok) return listed
        const { points, rungs, ...limits } = listed.value
        return ok({
          ...limits,
          points: points.map(showTime),
          rungs: rungs.map((rung) => ({ ...rung, points: rung.points.map(showTime) })),
        })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/trials`,
      tag: 'Decisions',
      summary: 'List the trials of a decision',
      description: trialsDescription,
      auth: 'session',
      role: 'viewer',
      params,
      query: z.object({
        matched: booleanParam.optional(),
        phase: phaseParam,
        limit: limitParam,
        cursor: cursorParam.optional(),
      }),
      status: 200,
      response: trialPageOut,
      refusals: { ...decisionNotFound, cursor_invalid: cursorInvalid },
      handle: async ({ params: ids, query }) => {
        const { matched, phase, limit, cursor } = query
        const subject = { workspaceId: ids.workspace_id, decisionId: ids.decision_id }
        const listed = await listTrials(deps, { ...subject, matched, phase, limit, cursor })
        if (!listed.ok) return listed
        return ok({ items: listed.value.trials.map(showTrial), next_cursor: listed.value.nextCursor })
      },
    }),
  ]
}

const toIso = (ms: number): string => new Date(ms).toISOString()

const showTime = <P extends MeasurementPoint | EvidencePoint>({ timeMs, ...point }: P) => ({
  ...point,
  time: toIso(timeMs),
})

const showTrial = (trial: TrialRow): z.input<typeof trialOut> => ({
  at: trial.start_time.toISOString(),
  trace_id: trial.trace_id,
  span_id: trial.span_id,
  candidate_trace_id: trial.candidate_trace_id,
  candidate_span_id: trial.candidate_span_id,
  age_s: trial.age_s,
  matched: trial.matched,
  counted: true,
  excluded_reason: null,
})
