// Decisions over HTTP as users with different roles see them.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { type Decision, type DecisionHttp, decisionOf, listOf, openDecisionHttp, search } from './_http.ts'

let world: DecisionHttp
test.before(async () => {
  world = await openDecisionHttp()
})
test.after.always(async () => await world.stop())

test('viewers read and change nothing; members propose and move', async (t) => {
  const ada = await world.people.add()
  const [viewer, member] = [
    await world.people.add({ joins: ada, role: 'viewer' }),
    await world.people.add({ joins: ada, role: 'member' }),
  ]
  const { workspaceId } = ada
  const made = await world.post(member, '', search, workspaceId)
  t.is(made.status, 201)
  const path = `/${decisionOf(made).id}`
  for (const suffix of ['', '/summary', path, `${path}/transitions`]) {
    t.is((await world.get(viewer, suffix, workspaceId)).status, 200, suffix)
  }
  t.is((await world.post(viewer, '', { ...search, tool_name: 'fetch' }, workspaceId)).status, 403)
  t.is((await world.post(viewer, `${path}/transitions`, { to: 'shadow' }, workspaceId)).status, 403)
  t.is(decisionOf(await world.get(ada, path)).state, 'proposed')
  t.is((await world.post(member, `${path}/transitions`, { to: 'shadow' }, workspaceId)).status, 200)
})

test('a session that has ended changes nothing', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  await world.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await world.post(ada, '', { ...search, tool_name: 'fetch' })).status, 401)
  t.is((await world.post(ada, `/${id}/transitions`, { to: 'shadow' })).status, 401)
  const rows = await world.database.query('select state from decisions where workspace_id = $1', [ada.workspaceId])
  t.deepEqual(rows, [{ state: 'proposed' }])
})

test('a decision of another workspace reads as one that does not exist', async (t) => {
  const [ada, eve] = [await world.people.add(), await world.people.add()]
  const { id } = await world.propose(ada)
  for (const stranger of [id, randomUUID()]) {
    const answers = [
      await world.get(eve, `/${stranger}`),
      await world.get(eve, `/${stranger}/transitions`),
      await world.post(eve, `/${stranger}/transitions`, { to: 'shadow' }),
      await world.post(eve, `/${stranger}/transitions`, { to: 'shadow' }, ada.workspaceId),
    ]
    t.deepEqual(
      answers.map(({ status, text }) => `${status} ${text}`),
      answers.map(() => '404 {"detail":"Not found"}'),
    )
  }
  t.is(decisionOf(await world.get(ada, `/${id}`)).state, 'proposed')
})

test('the list begins with the decision that changed last', async (t) => {
  const ada = await world.people.add()
  const ids: string[] = []
  for (const tool of ['a', 'b', 'c']) ids.push((await world.propose(ada, { ...search, tool_name: tool })).id)
  const [a = '', b = '', c = ''] = ids
  const list = async (query = ''): Promise<string[]> =>
    listOf<Decision>(await world.get(ada, query)).map(({ id }) => id)
  t.deepEqual(await list(), [c, b, a])
  await world.take(ada, a, 'shadow')
  await world.take(ada, c, 'disabled')
  t.deepEqual(await list(), [c, a, b])
  t.deepEqual(await list('?state=shadow'), [a])
  t.deepEqual(await list('?tool_name=b'), [b])
})

test('the audit trail is read from either end', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  await world.take(ada, id, 'shadow', 'active', 'disabled')
  const read = async (query: string): Promise<string[]> =>
    listOf<{ to_state: string }>(await world.get(ada, `/${id}/transitions${query}`)).map((move) => move.to_state)
  t.deepEqual(await read(''), ['proposed', 'shadow', 'active', 'disabled'])
  t.deepEqual(await read('?order=newest&limit=2'), ['disabled', 'active'])
  t.deepEqual(await read('?order=newest&limit=2&offset=2'), ['shadow', 'proposed'])
  t.is((await world.get(ada, `/${id}/transitions?order=any`)).status, 422)
})

test('the summary counts by state and type, of one workspace', async (t) => {
  const [ada, eve] = [await world.people.add(), await world.people.add()]
  await world.propose(eve)
  const none = { proposed: 0, shadow: 0, active: 0, disabled: 0 }
  t.deepEqual((await world.get(ada, '/summary')).body, {
    total: 0,
    by_state: none,
    by_type: { reuse_identity: none, suppress_dead: none },
  })
  await world.propose(ada)
  await world.take(ada, (await world.propose(ada, { ...search, tool_name: 'fetch' })).id, 'shadow', 'active')
  await world.take(ada, (await world.propose(ada, { type: 'suppress_dead', tool_name: 'log' })).id, 'disabled')
  t.deepEqual((await world.get(ada, '/summary')).body, {
    total: 3,
    by_state: { proposed: 1, shadow: 0, active: 1, disabled: 1 },
    by_type: {
      reuse_identity: { ...none, proposed: 1, active: 1 },
      suppress_dead: { ...none, disabled: 1 },
    },
  })
})

test('proposals and moves by users are in the audit log', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  await world.take(ada, id, 'shadow')
  const lines = await world.database.query(
    `select action, org_id, actor_user_id, detail from audit_log where audited_workspace_id = $1 and target = $2 order by at`,
    [ada.workspaceId, id],
  )
  const who = { org_id: ada.orgId, actor_user_id: ada.userId }
  t.deepEqual(lines, [
    { action: 'decision.propose', ...who, detail: { type: 'reuse_identity' } },
    { action: 'decision.move', ...who, detail: { from: 'proposed', to: 'shadow' } },
  ])
})
