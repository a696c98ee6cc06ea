// The gate on stored events: what it counts, where it moves a decision, and that its numbers are a function of the events alone.
import test from 'ava'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { makeDatabase } from '../_kit/db.ts'
import {
  absent,
  activeMs,
  dayMs,
  gate,
  makeConsumer,
  makeDecision,
  makeExecution,
  makeExecutions,
  readShown,
  readTrail,
  type Subject,
  shadowMs,
  store,
} from './_gated.ts'

const world = await makeDatabase()
const { db, query, stop } = world
test.after.always(stop)

const readChange = async ({ decisionId }: Subject): Promise<string | undefined> =>
  (await query<{ at: string }>('select changed_at::text as at from decisions where id = $1', [decisionId]))[0]?.at

const readVersion = async ({ workspaceId }: Subject): Promise<number> =>
  Number((await query<{ v: string }>('select rules_version as v from workspaces where id = $1', [workspaceId]))[0]?.v)

test('a rule that is always right is activated as soon as that is proven, with its measures in the audit trail', async (t) => {
  const subject = await makeDecision(world)
  const executions = Array.from({ length: 720 }, (_, at) => makeExecution(shadowMs + at * 10_000))
  await store(world, subject, executions.slice(0, 100))
  t.like(await gate(world, subject), { moved: null, verdict: 'inconclusive', touchesRules: false })
  const version = await readVersion(subject)
  await store(world, subject, executions.slice(100))
  const gated = await gate(world, subject)
  t.like(gated, { moved: 'active', verdict: 'pass', touchesRules: true })
  t.is(await readVersion(subject), version + 1)
  const shown = await readShown(world, subject)
  t.like(shown, { state: 'active', shadow_match_rate: 1, quality_delta: null, cost_delta_usd: null })
  t.log(JSON.stringify(shown, null, 1))
  const trail = await readTrail(world, subject)
  t.like(trail.at(-1), { from_state: 'shadow', to_state: 'active', actor: 'gate' })
  t.log(trail.at(-1)?.reason)
  t.log(await query('select inputs, served_freshness_s, proven from decisions where id = $1', [subject.decisionId]))
  t.log(await query('select count(*), min(age_s), bool_and(candidate_span_id is not null) from decision_trials where decision_id = $1', [subject.decisionId]))
})
