// Decisions for tests of the gate, and executions for them.
import { createHash, randomUUID } from 'node:crypto'
import { completeConfig, type DecisionType } from '../../src/decisions/config.ts'
import { createDecision } from '../../src/decisions/create.ts'
import { type Gated, gateDecision } from '../../src/decisions/gate-decision.ts'
import type { ReplayBounds } from '../../src/decisions/ladder/advance-ladder.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import type { TestDatabase } from '../_kit/db.ts'
import { type EventSeed, storeEvents } from '../_kit/events.ts'
import { until } from '../_kit/until.ts'
import { usualRules } from '../_kit/usual-rules.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

export const shadowMs = Date.parse('2026-03-01T00:00:00Z')
export const activeMs = Date.parse('2026-03-10T00:00:00Z')
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** A database, reached through the service's pool and through plain SQL. */
export type World = Pick<TestDatabase, 'db' | 'query'>

export type Subject = { readonly workspaceId: string; readonly decisionId: string }

type Options = {
  readonly type?: DecisionType
  readonly state?: 'proposed' | 'shadow' | 'active'
  readonly workspaceId?: string
  readonly config?: object
  readonly isForced?: boolean
}

/**
 * Makes a decision on all inputs of the tool `search` for every agent; by default in shadow since `shadowMs`, and if active, since
 * `activeMs`.
 */
export async function makeDecision({ db, query }: World, options: Options = {}): Promise<Subject> {
  const { type = 'reuse_identity', state = 'shadow', config: given = {}, isForced = false } = options
  const workspaceId = options.workspaceId ?? (await makeWorkspace(query))
  const config = completeConfig({ tool_name: 'search', ...given }, usualRules(86_400))
  const { row } = await db.tx(async (tx) => await createDecision(tx, { workspaceId, type, config, actor: 'user' }))
  const subject = { workspaceId, decisionId: row.id }
  if (state === 'proposed') return subject
  await moveDecision({ db }, { ...subject, to: 'shadow', actor: 'gate' })
  if (state === 'active') await moveDecision({ db }, { ...subject, to: 'active', actor: 'gate', isForced })
  await query(`update decisions set shadow_at = $2 where id = $1`, [row.id, new Date(shadowMs)])
  if (state === 'active') await serveSince({ query }, subject, activeMs)
  return subject
}

/** Sets the time at which the decision became active. */
export async function serveSince(
  { query }: Pick<World, 'query'>,
  { decisionId }: Subject,
  atMs: number,
): Promise<void> {
  await query('update decisions set activated_at = $2 where id = $1', [decisionId, new Date(atMs)])
}

/**
 * Returns an execution in its own trace and session that took 200 ms and whose result is stored. The holdout is drawn by the ids: the same
 * execution has the same ids in every run, whatever other tests of the file have made before.
 */
export function makeExecution(startMs: number, more: Partial<EventSeed> = {}): EventSeed {
  const { decisionId: _random, ...own } = more
  const id = createHash('sha256')
    .update(JSON.stringify([startMs, own]))
    .digest('hex')
  return {
    start: new Date(startMs).toISOString(),
    trace: id.slice(0, 32),
    span: id.slice(32, 48),
    kind: 'tool',
    tool: 'search',
    inputHash: 'a',
    callId: `call ${id}`,
    attested: true,
    contentHash: 'same',
    keyId: 'key',
    durationUs: 200_000,
    ...more,
  }
}

/** Returns executions a minute apart; `more` returns the special fields of each by its index. */
export const makeExecutions = (
  count: number,
  fromMs: number,
  more: (at: number) => Partial<EventSeed> = () => ({}),
): EventSeed[] => makeEvery(minuteMs, count, fromMs, more)

/** The same with another interval. */
export const makeEvery = (
  everyMs: number,
  count: number,
  fromMs: number,
  more: (at: number) => Partial<EventSeed> = () => ({}),
): EventSeed[] => Array.from({ length: count }, (_, at) => makeExecution(fromMs + at * everyMs, more(at)))

/** A failed execution: no result was stored. */
export const failed: Partial<EventSeed> = { status: 'error', contentHash: null, keyId: null }

/** Returns the model call in the trace of an execution that has its result in its prompt. */
export const makeConsumer = (execution: EventSeed, more: Partial<EventSeed> = {}): EventSeed => ({
  start: new Date(Date.parse(execution.start) + 1_000).toISOString(),
  trace: execution.trace,
  span: `c${execution.span.slice(1)}`,
  kind: 'llm',
  model: 'gpt-4o',
  consumed: [execution.callId ?? ''],
  ...more,
})

/** Returns the executions as those that the decision held out while it served. */
export const heldOutBy = ({ decisionId }: Subject, executions: readonly EventSeed[]): EventSeed[] =>
  executions.map((each) => ({ ...each, holdout: true, decisionId }))

export async function store({ query }: World, subject: Subject, seeds: readonly EventSeed[]): Promise<void> {
  await storeEvents(query, subject.workspaceId, seeds)
}

/**
 * The gate leaves out rows that were stored after a transaction that still runs, in any database of the server. Waits until the gate sees
 * all stored rows.
 */
export async function untilSeen({ query }: Pick<World, 'query'>, workspaceId: string): Promise<void> {
  const unseen = `select from events where workspace_id = $1 and inserted_xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`
  await until(async () => (await query(unseen, [workspaceId])).length === 0)
}

/** Runs the gate at the given time on all stored rows, or on as many as `bounds` allow. */
export async function gate(
  world: World,
  subject: Subject,
  nowMs: number = shadowMs + dayMs,
  bounds?: ReplayBounds,
): Promise<Gated> {
  const { db } = world
  await untilSeen(world, subject.workspaceId)
  const deps = { db, nowMs: () => nowMs, ...(bounds === undefined ? {} : { bounds }) }
  return await gateDecision(deps, subject.workspaceId, subject.decisionId)
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
    proven: boolean
    forced: boolean
    freshness_s: number
    evidence: number
    evidence_needed: number
    blocks: number
    trials: number
    wrong: number
    wrong_share: number
    wrong_share_upper: number
    inputs: number
    steps_down: number
    last_breach: { freshness_s: number; reason: string } | null
    next: { freshness_s: number; needs_blocks: number; needs_s: number | null } | null
    rungs: { freshness_s: number; blocks: number; trials: number; wrong: number; rung_proven: boolean }[]
    watch: { trials: number; wrong: number }
    expected_monthly_savings_usd: number | null
  } | null
}

/** Returns the stored measurements of the decision. */
export async function readShown({ query }: World, { decisionId }: Subject): Promise<Shown> {
  const [row] = await query<Shown>(
    `select state, shadow_samples::int, shadow_match_rate, cost_delta_usd, latency_delta_ms, quality_delta, score
     from decisions where id = $1`,
    [decisionId],
  )
  if (row === undefined) throw new Error('no such decision')
  return row
}

export type Served = {
  inputs: string[] | null
  served_freshness_s: number | null
  proven: boolean
  forced: boolean
  is_doubted: boolean
}

/** Returns what SDKs would receive. */
export async function readServed({ query }: World, { decisionId }: Subject): Promise<Served> {
  const [row] = await query<Served>(
    `select inputs, served_freshness_s, proven, forced, doubted_until is not null as is_doubted from decisions where id = $1`,
    [decisionId],
  )
  if (row === undefined) throw new Error('no such decision')
  return row
}

export const readVersion = async ({ query }: World, { workspaceId }: Subject): Promise<number> =>
  Number((await query<{ v: string }>('select rules_version as v from workspaces where id = $1', [workspaceId]))[0]?.v)

export type Step = {
  from_state: string | null
  to_state: string
  actor: string
  reason: string | null
  measures: object
}

/** Returns the audit trail, beginning with the first step in shadow. */
export async function readTrail({ query }: World, { decisionId }: Subject): Promise<Step[]> {
  return await query<Step>(
    `select from_state, to_state, actor, reason, measures from decision_transitions where decision_id = $1 order by at, id`,
    [decisionId],
  )
}

export const absent = (): Subject => ({ workspaceId: randomUUID(), decisionId: randomUUID() })
