// A backup taken under load, and its restore: everything acknowledged before it is restored, and redelivery restores the rest.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { migrate } from '../../src/store/migrate.ts'
import { dropDatabase, makeDatabase, readUrls, useTimescale } from '../_kit/db.ts'
import { type ServiceProcess, startProcess } from '../_kit/service-process.ts'
import { signUp } from '../_kit/sign-up.ts'
import { inSoak } from '../_kit/soak.ts'
import { prepareTrixie } from '../_kit/trixie.ts'

useTimescale()

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const spansInBatch = 50
const batchesBefore = inSoak(12, 60)
const mostBatches = inSoak(20, 1_000)

type Programs = Readonly<Record<'PSQL' | 'PG_DUMP' | 'PG_RESTORE', string>>

/** Of the server's version: Debian's in the cache if there are any, otherwise those on the PATH. */
async function findPrograms(): Promise<Programs> {
  const prefix = await prepareTrixie().then(
    (root) => `chroot ${root} /usr/lib/postgresql/17/bin/`,
    () => '',
  )
  return { PSQL: `${prefix}psql`, PG_DUMP: `${prefix}pg_dump`, PG_RESTORE: `${prefix}pg_restore` }
}

async function run(script: string, folder: string, env: Readonly<Record<string, string>>, from = deploy) {
  const child = spawn('sh', [join(from, script), folder], { env: { PATH: process.env['PATH'], ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, output: output.trim() }
}

function makeBatch(at: number): object {
  // Over three days, so that there are several chunks.
  const startMs = Date.now() - (at % 12) * 6 * 3_600_000 - 60_000
  const spans = Array.from({ length: spansInBatch }, (_, n) => ({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: `${startMs + n}000000`,
    endTimeUnixNano: `${startMs + n + 900}000000`,
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '1000' } },
    ],
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: `agent-${at % 5}` } }] }
  return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }
}

/** Resends when the service asks for it, as may happen while its database is dumped. */
async function send(service: ServiceProcess, key: string, batch: object): Promise<void> {
  for (;;) {
    const response = await fetch(`${service.baseUrl}/v1/otlp/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(batch),
    })
    await response.arrayBuffer()
    if (response.status === 200) return
    if (response.status !== 503) throw new Error(`ingest answered ${response.status}`)
    await sleep(100)
  }
}

const countEvents = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Number((await client.query<{ n: string }>('select count(*) as n from events')).rows[0]?.n)
  } finally {
    await client.end()
  }
}

test('a restored backup contains all spans acknowledged before it, and redelivery stores the rest, once', async (t) => {
  t.timeout(240_000)
  const folder = mkdtempSync(join(tmpdir(), 'tracewright-backup-'))
  const programs = await findPrograms()
  const database = await makeDatabase()
  const name = `restored_${randomBytes(6).toString('hex')}`
  const restoredUrl = Object.assign(new URL(database.url), { pathname: `/${name}` }).href
  const secret = randomBytes(32).toString('base64url')
  const serve = async (url: string) =>
    await startProcess(
      {
        DATABASE_URL: readUrls(url).service,
        MIGRATE_DATABASE_URL: url,
        SECRET: secret,
        SETTLE_QUIET_MS: 500,
        DECODE_THREADS: 1,
      },
      200_000,
    )
  let service = await serve(database.url)
  try {
    const { key, workspaceId, accessToken } = await signUp(service.baseUrl)
    const batches: object[] = []
    const sendNext = async (): Promise<void> => {
      const batch = makeBatch(batches.length)
      batches.push(batch)
      await send(service, key, batch)
    }
    while (batches.length < batchesBefore) await sendNext()
    const ackedBefore = batches.length * spansInBatch

    const state = { isBackingUp: true }
    const backingUp = run('backup.sh', folder, { ...programs, DATABASE_URL: database.url }).finally(() => {
      state.isBackingUp = false
    })
    // A slow backup needs no more load than a fast one.
    while (state.isBackingUp && batches.length < mostBatches) await sendNext()
    const backup = await backingUp
    t.is(backup.code, 0, backup.output)
    for (let more = 0; more < inSoak(4, 10); more++) await sendNext()
    await service.end('SIGKILL')

    await database.query(`create database ${name}`)
    const restore = await run('restore.sh', folder, { ...programs, DATABASE_URL: restoredUrl })
    t.is(restore.code, 0, restore.output)
    t.log(backup.output)
    t.log(restore.output)
    const again = await run('restore.sh', folder, { ...programs, DATABASE_URL: restoredUrl })
    t.is(again.code, 1)
    t.is(again.output, 'the database is not empty')

    // Fronts and actors may read it at once, without the migrate step; if the script leaves the grants out, they may not.
    t.is(await countEvents(readUrls(restoredUrl).front), await countEvents(restoredUrl))
    const bare = Object.assign(new URL(restoredUrl), { pathname: `/${name}_bare` }).href
    await database.query(`create database ${name}_bare`)
    mkdirSync(join(folder, 'deploy'))
    copyFileSync(join(deploy, 'count-rows.sql'), join(folder, 'deploy/count-rows.sql'))
    const lines = readFileSync(join(deploy, 'restore.sh'), 'utf8').split('\n')
    writeFileSync(
      join(folder, 'deploy/restore.sh'),
      lines.filter((line) => !line.includes('/sql/grants.sql"')).join('\n'),
    )
    const without = await run('restore.sh', folder, { ...programs, DATABASE_URL: bare }, join(folder, 'deploy'))
    t.is(without.code, 0, without.output)
    await t.throwsAsync(countEvents(readUrls(bare).front), { message: 'permission denied for table events' })
    await dropDatabase(database.url, `${name}_bare`)

    const back = await countEvents(restoredUrl)
    t.log(
      `acknowledged before the backup: ${ackedBefore}; restored: ${back}; sent in all: ${batches.length * spansInBatch}`,
    )
    t.true(back >= ackedBefore)
    t.true(back < batches.length * spansInBatch)
    t.is(back % spansInBatch, 0)

    service = await serve(restoredUrl)
    // The key, the session and the secret that seals them are unchanged.
    for (const batch of batches) await send(service, key, batch)
    t.is(await countEvents(restoredUrl), batches.length * spansInBatch)
    const summary = await fetch(
      `${service.baseUrl}/v1/workspaces/${workspaceId}/stats/summary?from_time=${new Date(Date.now() - 5 * 86_400_000).toISOString()}`,
      { headers: { authorization: `Bearer ${accessToken}` } },
    )
    t.is(((await summary.json()) as { llm_calls: number }).llm_calls, batches.length * spansInBatch)
  } finally {
    await service.end('SIGKILL')
    for (const one of [name, `${name}_bare`]) await dropDatabase(database.url, one)
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a database with its tables in another schema is backed up and restored, if the URL names that and public', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tracewright-backup-'))
  const programs = await findPrograms()
  const database = await makeDatabase()
  const [name, restored] = ['schema', 'restored'].map((what) => `${what}_${randomBytes(6).toString('hex')}`)
  const urlOf = (pathname: string | undefined, searchPath: string): string =>
    `${Object.assign(new URL(database.url), { pathname }).href}?options=-c%20search_path%3D${searchPath}`
  try {
    for (const each of [name, restored]) await database.query(`create database ${each}`)
    const client = new pg.Client({ connectionString: urlOf(name, 'tw') })
    await client.connect()
    await client.query('create schema tw')
    await client.end()
    await migrate(urlOf(name, 'tw'))
    const backup = await run('backup.sh', folder, { ...programs, DATABASE_URL: urlOf(name, 'tw') })
    t.is(backup.code, 0, backup.output)
    t.regex(readFileSync(join(folder, 'rows'), 'utf8'), /^tw\.events\|0$/m)
    const restore = await run('restore.sh', folder, { ...programs, DATABASE_URL: urlOf(restored, 'tw%2Cpublic') })
    t.is(restore.code, 0, restore.output)
    t.is(await countEvents(urlOf(restored, 'tw')), 0)
    const again = await run('restore.sh', folder, { ...programs, DATABASE_URL: urlOf(restored, 'tw%2Cpublic') })
    t.deepEqual(again, { code: 1, output: 'the database is not empty' })
  } finally {
    for (const each of [name, restored]) if (each !== undefined) await dropDatabase(database.url, each)
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
