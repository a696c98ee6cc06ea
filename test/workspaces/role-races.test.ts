// An admin whose role is lowered while a request of theirs waits for a lock.
import test from 'ava'
import { type Http, openHttp } from '../_kit/http.ts'
import { openPeople, type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'
import { type BeforeStatement, intercept } from '../ingest/_intercept.ts'

let people: PeopleHttp['people']
let http: PeopleHttp['http']
/** The same database; each statement of a transaction waits for `before`. */
let slow: Http
let before: BeforeStatement = () => undefined
let stop: () => Promise<void>

test.before(async () => {
  const plain = await openPeopleHttp()
  ;({ people, http } = plain)
  const slowPeople = await openPeople(intercept(plain.database.db, (statement) => before(statement)))
  slow = await openHttp(slowPeople.routes, slowPeople.authenticator)
  stop = async () => {
    await slow.stop()
    await slowPeople.stop()
    await plain.stop()
  }
})
test.after.always(async () => await stop())

type Call = {
  readonly method: string
  readonly path: (admin: Person) => string
  readonly body?: (admin: Person) => object
}

const ofWorkspace = (rest: string) => (admin: Person) => `/v1/workspaces/${admin.workspaceId}${rest}`
const calls: Readonly<Record<string, Call>> = {
  'creates a key': {
    method: 'POST',
    path: () => '/v1/keys',
    body: (admin) => ({ workspace_id: admin.workspaceId, name: 'ci' }),
  },
  'revokes a key': { method: 'DELETE', path: (admin) => `/v1/keys/${admin.keyId}` },
  'changes settings': { method: 'PATCH', path: ofWorkspace('/settings'), body: () => ({ content_mode: 'full' }) },
  'removes the prices': { method: 'DELETE', path: ofWorkspace('/prices') },
  'deletes the workspace': { method: 'DELETE', path: ofWorkspace('') },
}

for (const [what, { method, path, body }] of Object.entries(calls))
  test.serial(`an admin who ${what} is refused if the role is lowered before the lock is held`, async (t) => {
    const owner = await people.add()
    const admin = await people.add({ joins: owner, role: 'admin' })
    const member = `/v1/orgs/${owner.orgId}/members/${admin.userId}`
    before = async (statement) => {
      if (statement !== 'workspaces/lock') return undefined
      const lowered = await http.call('PATCH', member, { token: owner.token, body: { role: 'viewer' } })
      t.is(lowered.status, 200)
      return undefined
    }
    const answer = await slow.call(method, path(admin), { token: admin.token, ...(body ? { body: body(admin) } : {}) })
    before = () => undefined
    t.is(answer.status, 403)
    const settings = await http.call('GET', `/v1/workspaces/${owner.workspaceId}/settings`, { token: owner.token })
    t.like(settings.body, { content_mode: 'redacted' })
  })
