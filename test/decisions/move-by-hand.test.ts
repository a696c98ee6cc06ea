// Steps by hand: the trail names the user, and steps that the lifecycle does not have are refused.
import test from 'ava'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { moveByHand } from '../../src/decisions/move-by-hand.ts'
import { origin } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'
import { intercept } from '../ingest/_intercept.ts'
import { type DecisionHttp, decisionOf, listOf, openDecisionHttp, search } from './_http.ts'

type Transition = { id: string; from_state: string | null; to_state: string; at: string }

let world: DecisionHttp
test.before(async () => {
  world = await openDecisionHttp()
})
test.after.always(async () => await world.stop())

test('transitions are listed with actor and reason, oldest first', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  const path = `/${id}/transitions`
  const shadow = await world.post(ada, path, { to: 'shadow', reason: '  worth a try ', expected_state: 'proposed' })
  t.is(shadow.status, 200)
  t.like(decisionOf(shadow), { id, state: 'shadow', previous_state: 'proposed' })
  await world.take(ada, id, 'active', 'disabled')
  const trail = listOf<Transition>(await world.get(ada, path))
  t.deepEqual(
    trail.map(({ id: _id, at: _at, ...step }) => step as object),
    [
      [null, 'proposed', null],
      ['proposed', 'shadow', 'worth a try'],
      ['shadow', 'active', null],
      ['active', 'disabled', null],
    ].map(([from, to, reason]) => ({
      from_state: from,
      to_state: to,
      actor: 'user',
      user_id: ada.userId,
      reason,
      // The rule was active and was not measured.
      measures: from === 'active' ? { score: null, phase: 'active' } : null,
    })),
  )
  t.is(trail[1]?.at, shadow.body['shadow_at'] as string)
  t.deepEqual(listOf<Transition>(await world.get(ada, `${path}?limit=1&offset=2`)), trail.slice(2, 3))
})

const notAllowed =
  'The decision cannot move from its current state to the requested one. Allowed moves: ' +
  'proposed to shadow or disabled, shadow to active or disabled, active to shadow or disabled, disabled to shadow'

test('a step that the lifecycle lacks and one from an unexpected state are 409 and change nothing', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  const path = `/${id}/transitions`
  for (const to of ['active', 'proposed']) {
    const { status, body } = await world.post(ada, path, { to })
    t.is(status, 409)
    t.is(body['detail'], notAllowed)
  }
  const late = await world.post(ada, path, { to: 'disabled', expected_state: 'shadow' })
  t.is(late.status, 409)
  t.is(late.body['detail'], 'The decision is not in the expected state; read it again')
  t.is(decisionOf(await world.get(ada, `/${id}`)).state, 'proposed')
  t.is(listOf(await world.get(ada, path)).length, 1)
})

test('of concurrent identical moves one succeeds, and SDKs are notified once', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  await world.take(ada, id, 'shadow', 'active')
  const body = { to: 'disabled', expected_state: 'active' }
  const path = `/${id}/transitions`
  const answers = await Promise.all(Array.from({ length: 4 }, async () => await world.post(ada, path, body)))
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409, 409],
  )
  t.is(listOf(await world.get(ada, path)).length, 4)
  t.is(world.told(ada.workspaceId), 2)
})

test('a member whose role is lowered before the decision is locked does not move it', async (t) => {
  const owner = await world.people.add()
  const member = await world.people.add({ joins: owner })
  const { id } = await world.propose(owner)
  const who = await world.people.accounts.verifySession(member.token)
  if (who === null) return t.fail()
  const lower = async (statement: string): Promise<undefined> => {
    if (statement !== 'decisions/lock') return
    const path = `/v1/orgs/${owner.orgId}/members/${member.userId}`
    await world.call('PATCH', path, { token: owner.token, body: { role: 'viewer' } })
  }
  const outcome = await moveByHand(
    { db: intercept(world.database.db, lower), publishRules: () => undefined },
    { who, workspaceId: owner.workspaceId, decisionId: id, to: 'shadow', from: origin },
  )
  t.deepEqual(outcome, { ok: false, code: 'forbidden' })
  t.is(decisionOf(await world.get(owner, `/${id}`)).state, 'proposed')
})

test('a disabled decision cannot return while another one is live for its subject', async (t) => {
  const ada = await world.people.add()
  const first = await world.propose(ada)
  await world.take(ada, first.id, 'disabled')
  const second = await world.propose(ada)
  const answer = await world.post(ada, `/${first.id}/transitions`, { to: 'shadow' })
  t.is(answer.status, 409)
  t.regex(String(answer.body['detail']), /has replaced it/)
  t.is(decisionOf(await world.get(ada, `/${first.id}`)).state, 'disabled')
  t.is(listOf(await world.get(ada, `/${first.id}/transitions`)).length, 2)
  await world.take(ada, second.id, 'disabled')
  await world.take(ada, first.id, 'shadow')
})

test('SDKs are notified exactly when the active rules have changed', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  await world.take(ada, id, 'shadow')
  t.is(world.told(ada.workspaceId), 0)
  await world.take(ada, id, 'active')
  t.is(world.told(ada.workspaceId), 1)
  await world.post(ada, `/${id}/transitions`, { to: 'active', force: true })
  t.is(world.told(ada.workspaceId), 1)
  await world.take(ada, id, 'disabled')
  t.is(world.told(ada.workspaceId), 2)
})

test('a rule that is not proven becomes active by force alone, and says so', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada, { ...search, config: { freshness_s: 120 } })
  await world.take(ada, id, 'shadow')
  const path = `/${id}/transitions`
  for (const body of [{ to: 'active' }, { to: 'active', force: false }, { to: 'active', force: null }]) {
    const { status, body: answer } = await world.post(ada, path, body)
    t.is(status, 409)
    t.regex(String(answer['detail']), /^not_proven: .*"force": true/)
  }
  t.is(world.told(ada.workspaceId), 0)
  t.is(decisionOf(await world.get(ada, `/${id}`)).state, 'shadow')

  t.is((await world.post(ada, path, { to: 'active', force: true, reason: 'rates hold a minute' })).status, 200)
  const { query, db } = world.database
  const read = async () => (await query('select forced, proven from decisions where id = $1', [id]))[0]
  t.deepEqual(await read(), { forced: true, proven: false })
  const lines = await query(`select detail from audit_log where target = $1 and detail->>'to' = 'active'`, [id])
  t.deepEqual(lines, [{ detail: { from: 'shadow', to: 'active', forced: true } }])
  await until(async () => (await gateDecision({ db, nowMs: Date.now }, ada.workspaceId, id)).verdict !== 'unmeasured')
  const { body } = await world.get(ada, `/${id}`)
  t.like(body['score'], { proven: false, forced: true, freshness_s: 120 })

  await world.take(ada, id, 'shadow')
  t.deepEqual(await read(), { forced: false, proven: false })
})

test('a rule that is proven becomes active without force, and is not forced where force is given', async (t) => {
  const ada = await world.people.add()
  const { query } = world.database
  for (const force of [false, true]) {
    const { id } = await world.propose(ada, { ...search, tool_name: `tool ${force}` })
    await world.take(ada, id, 'shadow')
    await query('update decisions set proven = true where id = $1', [id])
    t.is((await world.post(ada, `/${id}/transitions`, { to: 'active', force })).status, 200)
    t.deepEqual(await query('select forced, proven from decisions where id = $1', [id]), [
      { forced: false, proven: true },
    ])
  }
})

test('force does not allow a step that the lifecycle lacks', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  const { status, body } = await world.post(ada, `/${id}/transitions`, { to: 'active', force: true })
  t.is(status, 409)
  t.is(body['detail'], notAllowed)
})

for (const [what, body, loc, type] of [
  ['nothing', {}, 'to', 'missing'],
  ['an unknown state', { to: 'rejected' }, 'to', 'enum'],
  ['an unknown expected state', { to: 'shadow', expected_state: 'rejected' }, 'expected_state', 'enum'],
  ['a blank reason', { to: 'shadow', reason: ' ' }, 'reason', 'string_too_short'],
  ['a reason like a book', { to: 'shadow', reason: 'x'.repeat(501) }, 'reason', 'string_too_long'],
] as const) {
  test(`a step with ${what} is a 422 that names it`, async (t) => {
    const ada = await world.people.add()
    const { id } = await world.propose(ada)
    const { status, body: answer } = await world.post(ada, `/${id}/transitions`, body)
    t.is(status, 422)
    const [item] = answer['detail'] as { loc: string[]; type: string }[]
    t.deepEqual([...(item?.loc ?? []), item?.type], ['body', loc, type])
    t.is(decisionOf(await world.get(ada, `/${id}`)).state, 'proposed')
  })
}
