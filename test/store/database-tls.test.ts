// What each sslmode of a database URL verifies about the server, against a PgBouncer with its own certificate.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { startPgBouncer } from '../_kit/pgbouncer.ts'
import { makeEmptyDatabase } from './_empty-database.ts'

/** A certificate for the name db.test, which no test connects to. */
function makeCertificate(folder: string, name: string): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
  const subject = ['-subj', '/CN=db.test', '-addext', 'subjectAltName=DNS:db.test', '-days', '2']
  const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const flags = ['req', '-x509', ...elliptic, '-nodes', '-keyout', key, '-out', cert, ...subject]
  const { status, stderr } = spawnSync('openssl', flags, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  // PgBouncer reads it as another user.
  chmodSync(key, 0o644)
  return { key, cert }
}

/** Connects as the service does with its setting. */
async function connect(url: string): Promise<boolean> {
  const config = readConfig({ TRACEWRIGHT_ROLES: 'migrate', TRACEWRIGHT_DATABASE_URL: url })
  const client = new pg.Client({ connectionString: config.DATABASE_URL ?? '' })
  client.on('error', () => undefined)
  await client.connect()
  // The encryption of the client's own connection, not of the one behind PgBouncer.
  const isEncrypted = 'encrypted' in client.connection.stream
  await client.end()
  return isEncrypted
}

test('sslmode means to the service what it means to psql', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'database-tls-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const [own, other] = [makeCertificate(folder, 'own'), makeCertificate(folder, 'other')]
  const { url, stop } = await makeEmptyDatabase()
  t.teardown(stop)
  const pooler = await startPgBouncer(url, {
    client_tls_sslmode: 'allow',
    client_tls_key_file: own.key,
    client_tls_cert_file: own.cert,
  })
  t.teardown(pooler.stop)
  // The URL of the embedded server has parameters of its own.
  const tryWith = (query: string): Promise<boolean> =>
    connect(Object.assign(new URL(pooler.url), { search: query }).href)
  const root = `sslrootcert=${encodeURIComponent(own.cert)}`
  const otherRoot = `sslrootcert=${encodeURIComponent(other.cert)}`

  t.false(await tryWith(''))
  t.false(await tryWith('sslmode=disable'))
  for (const query of ['sslmode=prefer', 'sslmode=require', `sslmode=require&${root}`, `sslmode=verify-ca&${root}`])
    t.true(await tryWith(query), query)
  await t.throwsAsync(tryWith(`sslmode=require&${otherRoot}`), { message: /self-signed certificate/ })
  await t.throwsAsync(tryWith(`sslmode=verify-ca&${otherRoot}`), { message: /self-signed certificate/ })
  await t.throwsAsync(tryWith('sslmode=verify-full'), { message: /self-signed certificate/ })
  await t.throwsAsync(tryWith(`sslmode=verify-full&${root}`), { message: /does not match certificate/ })
  // An URL can choose node-pg's interpretation explicitly.
  await t.throwsAsync(tryWith('sslmode=require&uselibpqcompat=false'), { message: /self-signed certificate/ })
})
