// A user deletes the account while the same or another user sends a conflicting request.
import { around } from '../_kit/around.ts'
import { type Answer, type Http, openHttp } from '../_kit/http.ts'
import { queueBehind } from '../_kit/lock-waits.ts'
import { openPeople, type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'
import { until } from '../_kit/until.ts'
import { type BeforeStatement, intercept } from '../ingest/_intercept.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
/** The same database; each statement of a transaction waits for `before`. */
let slow: Http
let before: BeforeStatement = () => undefined
let stop: () => Promise<void>

const test = around(
  () => undefined,
  () => {
    before = () => undefined
  },
)
test.before(async () => {
  const plain = await openPeopleHttp()
  ;({ database, people, http } = plain)
  const slowPeople = await openPeople(intercept(database.db, (statement) => before(statement)))
  slow = await openHttp(slowPeople.routes, slowPeople.authenticator)
  stop = async () => {
    await slow.stop()
    await slowPeople.stop()
    await plain.stop()
  }
})
test.after.always(async () => await stop())

/** Runs `work` once, before the first statement of this name. */
function once(name: string, work: () => Promise<void>): BeforeStatement {
  let isDone = false
  return async (statement) => {
    if (statement !== name || isDone) return undefined
    isDone = true
    await work()
    return undefined
  }
}

/** Starts a request. Returns its answer once it waits for a lock or has ended. */
async function startUntilBlocked(call: () => Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> {
  let isOver = false
  const answer = call().finally(() => {
    isOver = true
  })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => isOver || (await database.query(waiting)).length > 0)
  return { answer }
}

const deleteMe = async (on: Http, person: Person) =>
  await on.call('DELETE', '/v1/auth/me', { token: person.token, body: { current_password: person.password } })
const invite = async (host: Person, email: string, role: string): Promise<unknown> =>
  (await http.call('POST', `/v1/orgs/${host.orgId}/invites`, { token: host.token, body: { email, role } })).body[
    'token'
  ]
const accept = async (guest: Person, token: unknown) =>
  await http.call('POST', '/v1/invites/accept', { token: guest.token, body: { token } })
const isLive = async ({ orgId }: Person): Promise<boolean> =>
  (await database.query('select from orgs where id = $1 and deleted_at is null', [orgId])).length > 0

test.serial('an org that the user joins during the deletion does not remain without members', async (t) => {
  for (const isLeft of [true, false]) {
    const [ada, bob] = [await people.add(), await people.add()]
    const token = await invite(bob, ada.email, 'owner')
    let leaving: Promise<Answer> | undefined
    const steps = [
      once('accounts/lock-user-to-delete', async () => {
        t.is((await accept(ada, token)).status, 200)
      }),
      // Bob sees that Ada is an owner, and leaves.
      once('accounts/delete-invites-to', async () => {
        if (isLeft) leaving = (await startUntilBlocked(async () => await deleteMe(http, bob))).answer
      }),
    ]
    before = async (statement) => {
      for (const step of steps) await step(statement)
      return undefined
    }
    t.is((await deleteMe(slow, ada)).status, 204)
    t.is((await leaving)?.status, isLeft ? 204 : undefined)
    t.is(await isLive(bob), !isLeft)
    const { status } = await http.call('GET', '/v1/workspace/me', { token: bob.key ?? '' })
    t.is(status, isLeft ? 401 : 200)
  }
})

test.serial('a user who accepts an invite and deletes the account at once does both', async (t) => {
  const [ada, bob] = [await people.add(), await people.add()]
  const token = await invite(bob, ada.email, 'member')
  const lock = { text: 'select from invites where email = $1 for update', values: [ada.email] }
  const [accepted, deleted] = await queueBehind(database, lock, [
    async () => await accept(ada, token),
    async () => await deleteMe(http, ada),
  ])
  t.deepEqual([accepted?.status, deleted?.status], [200, 204])
  t.true(await isLive(bob))
  t.deepEqual(await database.query('select from invites where email = $1', [ada.email]), [])
})

test.serial('two users who have invited each other delete their accounts at once', async (t) => {
  for (const isAlone of [true, false]) {
    const [ada, bob] = [await people.add(), await people.add()]
    // A user who is not the only owner leaves an org; the other one deletes theirs.
    if (!isAlone) await people.add({ joins: ada, role: 'owner' })
    await invite(ada, bob.email, 'member')
    await invite(bob, ada.email, 'member')
    let deleting: Promise<Answer> | undefined
    // Ada's invites are deleted by now.
    before = once('accounts/delete-invites-to', async () => {
      deleting = (await startUntilBlocked(async () => await deleteMe(http, bob))).answer
    })
    t.is((await deleteMe(slow, ada)).status, 204)
    t.is((await deleting)?.status, 204)
    const invites = 'select from invites where invited_by = any ($1::uuid[])'
    t.deepEqual(await database.query(invites, [[ada.userId, bob.userId]]), [])
  }
})

test.serial(
  'the deletion of a user who keeps joining orgs is refused with a retry, and the user remains',
  async (t) => {
    const [ada, ...hosts] = await Promise.all(Array.from({ length: 6 }, async () => await people.add()))
    if (ada === undefined) throw new Error('nobody was added')
    const tokens = await Promise.all(hosts.map(async (host) => await invite(host, ada.email, 'member')))
    before = async (statement) => {
      if (statement === 'accounts/lock-user-to-delete') t.is((await accept(ada, tokens.pop())).status, 200)
      return undefined
    }
    t.is((await deleteMe(slow, ada)).status, 503)
    t.is(tokens.length, 0)
    before = () => undefined
    t.is((await deleteMe(slow, ada)).status, 204)
  },
)

const lockUser = ({ userId }: Person) => ({ text: 'select from users where id = $1 for update', values: [userId] })

test.serial('a reset link is refused where the member or the owner deletes the account at that moment', async (t) => {
  for (const isOwner of [false, true]) {
    const ada = await people.add()
    const bob = await people.add({ joins: ada, role: isOwner ? 'owner' : 'member' })
    const path = `/v1/orgs/${ada.orgId}/members/${bob.userId}/reset-link`
    const leaver = isOwner ? ada : bob
    const [deleted, made] = await queueBehind(database, lockUser(leaver), [
      async () => await deleteMe(http, leaver),
      async () => await http.call('POST', path, { token: ada.token }),
    ])
    t.deepEqual([deleted?.status, made?.status], [204, isOwner ? 401 : 404])
  }
})

test.serial('a member can delete the account while a reset link is created for it', async (t) => {
  const ada = await people.add()
  const bob = await people.add({ joins: ada, role: 'member' })
  let deleting: Promise<Answer> | undefined
  before = once('accounts/insert-reset', async () => {
    deleting = (await startUntilBlocked(async () => await deleteMe(http, bob))).answer
  })
  const made = await slow.call('POST', `/v1/orgs/${ada.orgId}/members/${bob.userId}/reset-link`, { token: ada.token })
  t.deepEqual([made.status, (await deleting)?.status], [201, 204])
})

test.serial('revoking a key while the account of its user is deleted causes no deadlock', async (t) => {
  const ada = await people.add()
  const make = async (path: string, body: object) =>
    (await http.call('POST', path, { token: ada.token, body })).body['id'] as string
  const second = await make('/v1/workspaces', { name: 'second' })
  const key = await make('/v1/keys', { workspace_id: second, name: 'key' })
  let revoking: Promise<Answer> | undefined
  let isRevoked = false
  before = async (statement) => {
    if (statement === 'workspaces/revoke-keys') isRevoked = true
    // After the revocation of the keys of the first workspace.
    if (statement !== 'accounts/append-audit' || !isRevoked || revoking !== undefined) return undefined
    const revoke = async () => await http.call('DELETE', `/v1/keys/${key}`, { token: ada.token })
    revoking = (await startUntilBlocked(revoke)).answer
    return undefined
  }
  const deleted = await deleteMe(slow, ada)
  t.deepEqual([deleted.status, (await revoking)?.status], [204, 401])
})
