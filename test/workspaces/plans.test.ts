import test from 'ava'
import { insertWorkspace } from '../../src/workspaces/create.ts'
import { planNames, readPlan } from '../../src/workspaces/plans.ts'
import { openHttp } from '../_kit/http.ts'
import { queueBehind } from '../_kit/lock-waits.ts'
import { openPeople } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp({ plan: 'free' }))
})
test.after.always(async () => await stop())

const create = async (token: string, body: object) => await http.call('POST', '/v1/workspaces', { token, body })

test('each plan has its caps, or null for no cap', (t) => {
  t.deepEqual(planNames.map(readPlan), [
    { name: 'self_hosted', eventQuota: null, agentCap: null, retentionDays: null, isFree: false },
    { name: 'free', eventQuota: 50_000, agentCap: 5, retentionDays: 30, isFree: true },
    { name: 'team', eventQuota: 5_000_000, agentCap: 100, retentionDays: 90, isFree: false },
  ])
})

test('the error for an unknown plan names the known ones', (t) => {
  t.throws(() => readPlan('enterprise'), { message: /self_hosted, free, team/ })
})

test('on the free plan a user can create at most three workspaces in all orgs together; deleting one allows another', async (t) => {
  const ada = await people.add()
  const host = await people.add()
  const admin = await people.add({ joins: host, role: 'admin' })
  t.is((await create(ada.token, { name: 'second' })).status, 201)
  const third = await create(ada.token, { name: 'third' })
  const refused = await create(ada.token, { name: 'fourth' })
  t.is(refused.status, 409)
  t.deepEqual(refused.body, {
    detail:
      'You have reached the limit of 3 workspaces on the free plan that one user can create in their organizations; one of them must be deleted first',
  })
  const path = `/v1/workspaces/${String(third.body['id'])}`
  t.is((await http.call('DELETE', path, { token: ada.token })).status, 204)
  t.is((await create(ada.token, { name: 'third again' })).status, 201)
  t.is((await create(ada.token, { name: 'fourth' })).status, 409)
  t.is((await create(admin.token, { name: 'by another user' })).status, 201, 'the limit is of a user, not of an org')
  await database.query("update workspaces set plan = 'team' where id = $1", [ada.workspaceId])
  t.is((await create(ada.token, { name: 'beside a paid one' })).status, 201)
})

test('workspaces in an org that their maker was removed from do not count, until they are a member again', async (t) => {
  const [ada, host] = [await people.add(), await people.add()]
  const join = async (): Promise<void> => {
    const body = { email: ada.email, role: 'admin' }
    const invite = await http.call('POST', `/v1/orgs/${host.orgId}/invites`, { token: host.token, body })
    await http.call('POST', '/v1/invites/accept', { token: ada.token, body: { token: invite.body['token'] } })
  }
  const createIn = async (orgId: string) => (await create(ada.token, { name: 'x', org_id: orgId })).status
  await join()
  t.is(await createIn(host.orgId), 201)
  t.is(await createIn(host.orgId), 201)
  t.is(await createIn(ada.orgId), 409)
  await http.call('DELETE', `/v1/orgs/${host.orgId}/members/${ada.userId}`, { token: host.token })
  t.is(await createIn(ada.orgId), 201)
  t.is(await createIn(ada.orgId), 201)
  t.is(await createIn(ada.orgId), 409, 'those in her own org count')
  await database.query('update workspaces set deleted_at = now() where id = $1', [ada.workspaceId])
  await join()
  t.is(await createIn(ada.orgId), 409, 'four again')
})

test.serial('two workspaces that are created at once in two orgs do not both take the last place', async (t) => {
  const [ada, host] = [await people.add(), await people.add()]
  const body = { email: ada.email, role: 'admin' }
  const invite = await http.call('POST', `/v1/orgs/${host.orgId}/invites`, { token: host.token, body })
  await http.call('POST', '/v1/invites/accept', { token: ada.token, body: { token: invite.body['token'] } })
  t.is((await create(ada.token, { name: 'second', org_id: ada.orgId })).status, 201)
  const lock = { text: 'select from users where id = $1 for update', values: [ada.userId] }
  const answers = await queueBehind(database, lock, [
    async () => await create(ada.token, { name: 'third', org_id: ada.orgId }),
    async () => await create(ada.token, { name: 'fourth', org_id: host.orgId }),
  ])
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 409],
  )
})

test('control: without the lock on their maker both would be counted as the third', async (t) => {
  const ada = await people.add()
  await create(ada.token, { name: 'second' })
  const count = async (met: Promise<void>, meet: () => void): Promise<number | undefined> =>
    await database.db.tx(async (tx) => {
      const made = await tx.row<{ live: number }>('workspaces/count-made', [ada.userId, 'free'])
      const workspace = { orgId: ada.orgId, name: 'x', plan: 'free', userId: ada.userId }
      await insertWorkspace(tx, workspace)
      meet()
      await met
      return made?.live
    })
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.deepEqual(await Promise.all([count(first.promise, second.resolve), count(second.promise, first.resolve)]), [2, 2])
})

test('other plans have no such limit', async (t) => {
  const own = await openPeople(database.db, { plan: 'self_hosted' })
  const server = await openHttp(own.routes, own.authenticator)
  t.teardown(async () => {
    await server.stop()
    await own.stop()
  })
  const { token } = await own.add()
  for (const name of ['2', '3', '4', '5'])
    t.is((await server.call('POST', '/v1/workspaces', { token, body: { name } })).status, 201)
})
