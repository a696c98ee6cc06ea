// Logins whose process identifies itself by a client certificate, which the migration does not have.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { frontRole, prepareLogins } from '../../src/store/logins.ts'
import { makeDatabase } from '../_kit/db.ts'

const files = '/etc/tracewright/database-cert'

test('a login with a client certificate is created without reading it, and left as it is from then on', async (t) => {
  const { url, query, stop } = await makeDatabase()
  const user = `cert_${randomBytes(6).toString('hex')}`
  const login = new URL(url)
  login.username = user
  login.password = ''
  login.searchParams.set('sslcert', `${files}/tls.crt`)
  login.searchParams.set('sslkey', `${files}/tls.key`)
  const prepare = async () => await prepareLogins(url, [{ url: login.href, roles: [frontRole] }])
  t.deepEqual(await prepare(), [user])
  const read = async () =>
    await query(
      "select rolcanlogin, rolpassword, pg_has_role(rolname, $2, 'member') as is_member from pg_authid where rolname = $1",
      [user, frontRole],
    )
  t.deepEqual(await read(), [{ rolcanlogin: true, rolpassword: null, is_member: true }])
  t.deepEqual(await prepare(), [])
  // One that may not log in is no working login, whatever the certificate is.
  await query(`alter role ${user} nologin`)
  t.deepEqual(await prepare(), [user])
  t.like(await read(), [{ rolcanlogin: true }])
  await query(`drop role ${user}`)
  await stop()
})
