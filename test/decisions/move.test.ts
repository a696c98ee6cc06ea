// One step of a decision: its row, its audit trail and the version of the rules change together or not at all.
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { Outage } from '../../src/base/fault.ts'
import { completeConfig } from '../../src/decisions/config.ts'
import { createDecision } from '../../src/decisions/create.ts'
import type { DecisionRow } from '../../src/decisions/decision-shape.ts'
import { isAllowed, type State, states } from '../../src/decisions/lifecycle.ts'
import { type Move, moveDecision, moveInTx, touchesRules } from '../../src/decisions/move.ts'
import { until } from '../_kit/until.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { usualRules } from '../_kit/usual-rules.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

const { db, query, url } = useDatabase()

type Subject = { readonly workspaceId: string; readonly decisionId: string }

/** Makes a decision and takes it to this state by the shortest way. */
async function makeDecision(state: State): Promise<Subject> {
  const workspaceId = await makeWorkspace(query)
  const config = completeConfig({ tool_name: 'search', input_hash: 'a' }, usualRules(60))
  const { row } = await db.tx(
    async (tx) => await createDecision(tx, { workspaceId, type: 'reuse_identity', config, actor: 'gate' }),
  )
  const ways: Record<State, State[]> = {
    proposed: [],
    shadow: ['shadow'],
    active: ['shadow', 'active'],
    disabled: ['disabled'],
  }
  for (const to of ways[state]) await moveDecision({ db }, { workspaceId, decisionId: row.id, to, actor: 'gate' })
  return { workspaceId, decisionId: row.id }
}

const move = async (subject: Subject, to: State, more: Partial<Move> = {}) =>
  await moveDecision({ db }, { ...subject, to, actor: 'gate', ...more })

async function moved(t: ExecutionContext, subject: Subject, to: State, more: Partial<Move> = {}): Promise<DecisionRow> {
  const outcome = await move(subject, to, more)
  if (!outcome.ok) throw new Error(`refused: ${outcome.code}`)
  t.is(outcome.value.state, to)
  return outcome.value
}

/** Reads everything that a move may change. */
async function read({ workspaceId, decisionId }: Subject) {
  const [row] = await query('select * from decisions where id = $1', [decisionId])
  const trail = await query('select * from decision_transitions where decision_id = $1 order by at, id', [decisionId])
  const [workspace] = await query<{ rules_version: string; rules_changed_at: string }>(
    'select rules_version, rules_changed_at::text from workspaces where id = $1',
    [workspaceId],
  )
  return { row, trail, version: Number(workspace?.rules_version), changedAt: workspace?.rules_changed_at }
}

test('each transition has its time, its former state and its actor', async (t) => {
  const subject = await makeDecision('proposed')
  const userId = randomUUID()
  const shadow = await moved(t, subject, 'shadow', { actor: 'user', userId, reason: 'looks right' })
  t.like(shadow, { previous_state: 'proposed', activated_at: null, disabled_at: null })
  const active = await moved(t, subject, 'active', { measures: { trials: 120, lower: 0.96 } })
  t.like(active, { previous_state: 'shadow', shadow_at: shadow.shadow_at, disabled_at: null })
  const disabled = await moved(t, subject, 'disabled', { reason: 'failed: drift' })
  t.like(disabled, { previous_state: 'active', activated_at: active.activated_at })
  const again = await moved(t, subject, 'shadow')
  t.true(Number(again.shadow_at) > Number(shadow.shadow_at))
  t.true(Number(again.shadow_at) >= Number(disabled.disabled_at))

  const { trail, row } = await read(subject)
  t.deepEqual(
    trail.map(({ from_state: from, to_state: to, actor, user_id: who, reason, measures, at }) => [
      from,
      to,
      actor,
      who,
      reason,
      measures,
      at,
    ]),
    [
      [null, 'proposed', 'gate', null, null, null, shadow.proposed_at],
      ['proposed', 'shadow', 'user', userId, 'looks right', null, shadow.shadow_at],
      ['shadow', 'active', 'gate', null, null, { trials: 120, lower: 0.96 }, active.activated_at],
      ['active', 'disabled', 'gate', null, 'failed: drift', { score: null, phase: 'active' }, disabled.disabled_at],
      ['disabled', 'shadow', 'gate', null, null, null, again.shadow_at],
    ],
  )
  t.deepEqual(row?.['changed_at'], again.shadow_at)
})

test('a transition that the lifecycle does not allow is refused and changes nothing', async (t) => {
  for (const from of states) {
    const subject = await makeDecision(from)
    for (const to of states.filter((to) => !isAllowed(from, to))) {
      const before = await read(subject)
      t.deepEqual(await move(subject, to), { ok: false, code: 'not_allowed' }, `${from} -> ${to}`)
      t.deepEqual(await read(subject), before)
    }
  }
})

test('the version of the rules moves exactly when active is entered or left', async (t) => {
  for (const from of states) {
    for (const to of states.filter((to) => isAllowed(from, to))) {
      const subject = await makeDecision(from)
      const before = await read(subject)
      const row = await moved(t, subject, to)
      const after = await read(subject)
      const isRule = from === 'active' || to === 'active'
      t.is(after.version - before.version, isRule ? 1 : 0, `${from} -> ${to}`)
      t.is(after.changedAt !== before.changedAt, isRule, `${from} -> ${to}`)
      t.is(touchesRules(row), isRule)
    }
  }
})

test('a decision that was moved since it was read is not moved', async (t) => {
  const subject = await makeDecision('shadow')
  const before = await read(subject)
  t.deepEqual(await move(subject, 'disabled', { expectedState: 'proposed' }), { ok: false, code: 'moved_on' })
  t.deepEqual(await read(subject), before)
  await moved(t, subject, 'disabled', { expectedState: 'shadow' })
})

test('a decision is found only in its own workspace', async (t) => {
  const subject = await makeDecision('active')
  const before = await read(subject)
  const strangers = [
    { ...subject, workspaceId: await makeWorkspace(query) },
    { ...subject, decisionId: randomUUID() },
  ]
  for (const stranger of strangers) t.deepEqual(await move(stranger, 'disabled'), { ok: false, code: 'unknown' })
  t.deepEqual(await read(subject), before)
})

test('measurements are kept by a move, and in the audit trail by the end of a rule; a new phase in shadow begins without any', async (t) => {
  const subject = await makeDecision('shadow')
  const measured = {
    shadow_samples: 40,
    shadow_match_rate: 0.975,
    cost_delta_usd: -0.01,
    latency_delta_ms: -120,
    quality_delta: 0,
    score: { verdict: 'pass' },
  }
  await db.run('decisions/keep-measures', [subject.workspaceId, subject.decisionId, measured])
  t.like(await moved(t, subject, 'active'), measured)
  const served = { ...measured, cost_delta_usd: -0.02, score: { verdict: 'pass', wrong_share: 0.1 } }
  await db.run('decisions/keep-measures', [subject.workspaceId, subject.decisionId, served])
  t.like(await moved(t, subject, 'disabled'), served)
  t.deepEqual((await read(subject)).trail.at(-1)?.['measures'], { ...served, phase: 'active' })
  t.like(await moved(t, subject, 'shadow'), {
    shadow_samples: 0,
    shadow_match_rate: null,
    cost_delta_usd: null,
    latency_delta_ms: null,
    quality_delta: null,
    score: null,
  })
  t.like((await read(subject)).row, { measured_at: null })
})

test('what was measured before a rule became active is not kept as a measurement of that time', async (t) => {
  const subject = await makeDecision('shadow')
  const measured = { score: { verdict: 'pass', wrong_share: 0.1 } }
  await db.run('decisions/keep-measures', [subject.workspaceId, subject.decisionId, measured])
  await moved(t, subject, 'active')
  await moved(t, subject, 'shadow')
  t.deepEqual((await read(subject)).trail.at(-1)?.['measures'], { score: null, phase: 'active' })
})

test('exactly one of several concurrent moves succeeds, with one audit entry and one version', async (t) => {
  for (const more of [{}, { expectedState: 'active' as const }]) {
    const subject = await makeDecision('active')
    const before = await read(subject)
    const outcomes = await Promise.all(Array.from({ length: 5 }, async () => await move(subject, 'disabled', more)))
    t.is(outcomes.filter(({ ok }) => ok).length, 1)
    const after = await read(subject)
    t.is(after.trail.length, before.trail.length + 1)
    t.is(after.version, before.version + 1)
  }
})

test('of two different concurrent moves from the same state, one wins', async (t) => {
  const subject = await makeDecision('shadow')
  const outcomes = await Promise.all([
    move(subject, 'active', { expectedState: 'shadow' }),
    move(subject, 'disabled', { expectedState: 'shadow' }),
  ])
  const [winner, ...others] = outcomes.filter(({ ok }) => ok)
  t.is(others.length, 0)
  t.deepEqual(
    outcomes.filter(({ ok }) => !ok),
    [{ ok: false, code: 'moved_on' }],
  )
  const { row, trail } = await read(subject)
  t.is(row?.['state'], winner?.ok === true ? winner.value.state : null)
  t.is(trail.length, 3)
})

test('movers of many decisions of a workspace do not lose a version', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const ids = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const config = completeConfig({ tool_name: 'search', input_hash: `hash ${n}` }, usualRules(60))
      const proposal = { workspaceId, type: 'reuse_identity', config, actor: 'gate' } as const
      const { row } = await db.tx(async (tx) => await createDecision(tx, proposal))
      return row.id
    }),
  )
  for (const to of ['shadow', 'active', 'disabled'] as const) {
    await Promise.all(ids.map(async (decisionId) => await moved(t, { workspaceId, decisionId }, to)))
  }
  t.is((await read({ workspaceId, decisionId: ids[0] ?? '' })).version, 16)
})

test('a failure after the move leaves no partial change', async (t) => {
  const subject = await makeDecision('shadow')
  const before = await read(subject)
  await t.throwsAsync(
    db.tx(async (tx) => {
      t.true((await moveInTx(tx, { ...subject, to: 'active', actor: 'gate' })).ok)
      throw new Error('stop')
    }),
    { message: 'stop' },
  )
  t.deepEqual(await read(subject), before)
})

test('a connection that breaks between the writes of the row and the version leaves no partial change', async (t) => {
  const subject = await makeDecision('shadow')
  const before = await read(subject)
  const blocker = new pg.Client({ connectionString: url })
  await blocker.connect()
  try {
    await blocker.query('begin')
    await blocker.query('select from workspaces where id = $1 for no key update', [subject.workspaceId])
    // The row and the line of the trail are written; the update of the version waits for the row of the workspace.
    const moving = t.throwsAsync(move(subject, 'active'), { instanceOf: Outage })
    const [own] = (await blocker.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
    // Moves in other tests wait for one another.
    const waiting = `select pid from pg_stat_activity where datname = current_database() and $1 = any (pg_blocking_pids(pid))
      and query like '%rules_version = rules_version + 1%'`
    await until(async () => (await query(waiting, [own?.pid])).length > 0)
    await query(`select pg_terminate_backend(pid) from (${waiting}) w`, [own?.pid])
    await moving
    await blocker.query('rollback')
  } finally {
    await blocker.end()
  }
  t.deepEqual(await read(subject), before)
  await moved(t, subject, 'active')
})

test('the audit trail is append-only, and the database enforces it', async (t) => {
  const { decisionId } = await makeDecision('active')
  const before = await query('select * from decision_transitions where decision_id = $1 order by at', [decisionId])
  t.is(before.length, 3)
  const refused = { code: '42501' }
  const change = `update decision_transitions set reason = 'none' where decision_id = $1`
  await t.throwsAsync(query(change, [decisionId]), refused)
  await t.throwsAsync(query('delete from decision_transitions where decision_id = $1', [decisionId]), refused)
  t.deepEqual(
    await query('select * from decision_transitions where decision_id = $1 order by at', [decisionId]),
    before,
  )
})

test('a move locks the workspace before the decision, so that the purge skips it, and a deleted workspace allows no moves', async (t) => {
  const subject = await makeDecision('proposed')
  const { workspaceId } = subject
  const lockToPurge = async () => await db.row('workspaces/lock-to-purge', [workspaceId, 0])
  await db.tx(async (tx) => {
    t.true((await moveInTx(tx, { ...subject, to: 'shadow', actor: 'gate' })).ok)
    await db.run('workspaces/soft-delete', [workspaceId])
    t.is(await lockToPurge(), null)
  })
  t.not(await lockToPurge(), null)
  t.deepEqual(await move(subject, 'disabled'), { ok: false, code: 'unknown' })
})
