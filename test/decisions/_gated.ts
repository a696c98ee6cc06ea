// Decisions of a test that the gate looks at, and executions for them.
import { randomUUID } from 'node:crypto'
import { completeConfig, type DecisionType } from '../../src/decisions/config.ts'
import { createDecision } from '../../src/decisions/create.ts'
import { type Gated, gateDecision } from '../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import type { TestDatabase } from '../_kit/db.ts'
import { type EventSeed, hexId, storeEvents } from '../_kit/events.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

export const shadowMs = Date.parse('2026-03-01T00:00:00Z')
export const activeMs = Date.parse('2026-03-10T00:00:00Z')
export const dayMs = 86_400_000

/** A database, by the service's pool and by plain SQL. */
export type World = Pick<TestDatabase, 'db' | 'query'>

export type Subject = { readonly workspaceId: string; readonly decisionId: string }

type Options = {
  readonly type?: DecisionType
  readonly state?: 'proposed' | 'shadow' | 'active'
  readonly workspaceId?: string
  readonly config?: object
}

/** A decision on the tool `search` (and its input `a`), in shadow since `shadowMs` unless told otherwise; active since `activeMs`. */
export async function makeDecision({ db, query }: World, options: Options = {}): Promise<Subject> {
  const { type = 'reuse_identity', state = 'shadow', config: given = {} } = options
  const workspaceId = options.workspaceId ?? (await makeWorkspace(query))
  const input = type === 'reuse_identity' ? 'a' : null
  const config = completeConfig({ tool_name: 'search', input_hash: input, ...given }, 86_400)
  const { row } = await db.tx(async (tx) => await createDecision(tx, { workspaceId, type, config, actor: 'user' }))
  const subject = { workspaceId, decisionId: row.id }
  if (state === 'proposed') return subject
  await moveDecision({ db }, { ...subject, to: 'shadow', actor: 'gate' })
  if (state === 'active') await moveDecision({ db }, { ...subject, to: 'active', actor: 'gate' })
  await query(
    `update decisions set shadow_at = $2, activated_at = case when state = 'active' then $3::timestamptz end,
       watch_from = case when state = 'active' then $3::timestamptz end where id = $1`,
    [row.id, new Date(shadowMs), new Date(activeMs)],
  )
  return subject
}

let made = 0

/** An execution of its own trace and session, whose result is stored, that took 200 ms. */
export function makeExecution(startMs: number, more: Partial<EventSeed> = {}): EventSeed {
  made += 1
  return {
    start: new Date(startMs).toISOString(),
    trace: hexId(made, 32),
    span: hexId(made, 16),
    kind: 'tool',
    tool: 'search',
    inputHash: 'a',
    callId: `call ${made}`,
    attested: true,
    contentHash: 'same',
    keyId: 'key',
    durationUs: 200_000,
    ...more,
  }
}

/** Executions a minute apart; `contentOf` gives the content of each by its number. */
export const makeExecutions = (
  count: number,
  fromMs: number,
  more: (at: number) => Partial<EventSeed> = () => ({}),
): EventSeed[] => Array.from({ length: count }, (_, at) => makeExecution(fromMs + at * 60_000, more(at)))

/** The model call in the trace of an execution that has its result in its prompt. */
export const makeConsumer = (execution: EventSeed, more: Partial<EventSeed> = {}): EventSeed => ({
  start: new Date(Date.parse(execution.start) + 1_000).toISOString(),
  trace: execution.trace,
  span: `c${execution.span.slice(1)}`,
  kind: 'llm',
  model: 'gpt-4o',
  consumed: [execution.callId ?? ''],
  ...more,
})

export async function store({ query }: World, subject: Subject, seeds: readonly EventSeed[]): Promise<void> {
  await storeEvents(query, subject.workspaceId, seeds)
}

/** A look of the gate at a time of the test's. */
export async function gate({ db }: World, subject: Subject, nowMs: number = shadowMs + dayMs): Promise<Gated> {
  return await gateDecision({ db, nowMs: () => nowMs }, subject.workspaceId, subject.decisionId)
}

export type Shown = {
  state: string
  shadow_samples: number
  shadow_match_rate: number | null
  cost_delta_usd: number | null
  latency_delta_ms: number | null
  quality_delta: number | null
  score: {
    verdict: string
    lower: number
    upper: number
    trials: number
    expected_monthly_savings_usd: number | null
    watch?: { trials: number; matches: number; lower: number; upper: number; since: string }
  } | null
}

/** What is measured of it, as it is kept. */
export async function readShown({ query }: World, { decisionId }: Subject): Promise<Shown> {
  const [row] = await query<Shown>(
    `select state, shadow_samples::int, shadow_match_rate, cost_delta_usd, latency_delta_ms, quality_delta, score
     from decisions where id = $1`,
    [decisionId],
  )
  if (row === undefined) throw new Error('no such decision')
  return row
}

export type Step = {
  from_state: string | null
  to_state: string
  actor: string
  reason: string | null
  measures: object
}

/** Its audit trail from its first step in shadow on. */
export async function readTrail({ query }: World, { decisionId }: Subject): Promise<Step[]> {
  return await query<Step>(
    `select from_state, to_state, actor, reason, measures from decision_transitions where decision_id = $1 order by at, id`,
    [decisionId],
  )
}

export const absent = (): Subject => ({ workspaceId: randomUUID(), decisionId: randomUUID() })
