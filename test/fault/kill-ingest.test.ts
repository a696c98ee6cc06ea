// kill -9 of the service in the middle of ingest: acknowledged spans are stored once and counted once. The suite kills it once, while other
// requests are in flight and a commit has not been acknowledged; the soak does so repeatedly, every other time at a random moment.
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type ServiceProcess, startProcess } from '../_kit/service-process.ts'
import { signUp } from '../_kit/sign-up.ts'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { count, listDifferences } from '../ingest/_http.ts'
import { countFresh, countRead, differences, finishAll, readStored } from '../rollups/_truth.ts'
import { type Exporter, openExporter, spansInBatch } from './_exporter.ts'

const kills = inSoak(1, 200)
const inFlight = 6

type Fleet = {
  readonly database: TestDatabase
  readonly exporter: Exporter
  readonly workspaceId: string
  /** Returns a service that has received no request yet: the opened one first, and a new one on each later call. */
  start(): Promise<ServiceProcess>
  /** Ends the service if it still runs: a failed test must leave nothing open. */
  stop(): Promise<void>
}

async function openFleet(): Promise<Fleet> {
  const database = await makeDatabase()
  const settings = {
    DATABASE_URL: database.url,
    SECRET: randomBytes(32).toString('base64url'),
    // Settling runs all the time, so that kills also hit it.
    SETTLE_QUIET_MS: 20,
    INGEST_FLUSH_MS: 5,
    DECODE_THREADS: 1,
    LOG_LEVEL: 'info',
  }
  let running = await startProcess(settings)
  let isFresh = true
  const start = async (): Promise<ServiceProcess> => {
    if (!isFresh) running = await startProcess(settings)
    isFresh = false
    return running
  }
  const stop = async (): Promise<void> => {
    await running.end('SIGKILL')
    await database.stop()
  }
  const { key, workspaceId } = await signUp(running.baseUrl)
  return { database, exporter: openExporter(key), workspaceId, start, stop }
}

/**
 * One life of the service: senders run, then kill -9, at a random moment or when a commit that was not yet acknowledged is in the table.
 */
async function killOnce(fleet: Fleet, moment: 'random' | 'untold'): Promise<void> {
  const { exporter } = fleet
  const service = await fleet.start()
  const before = exporter.acknowledged.size
  exporter.send(service.baseUrl, inFlight)
  await until(async () => exporter.acknowledged.size > before)
  await until(async () => (await fleet.database.query('select from traces where settled limit 1')).length > 0)
  if (moment === 'random') {
    await new Promise((done) => setTimeout(done, Math.random() * 150))
  } else {
    const [id = ''] = exporter.sendDeaf(service.baseUrl)
    await until(async () => (await isStored(fleet, id)) > 0)
    await until(() => exporter.open() > 0)
  }
  const retries = exporter.retries()
  await service.end('SIGKILL')
  // A sender that had no request in flight fails with its next one, unless it pauses first.
  await until(() => exporter.retries() > retries)
  await exporter.pause()
  // A backend that was told to commit does so after its client has died.
  await until(async () => (await fleet.database.query(listBackends)).length === 0)
}

const listBackends = `select from pg_stat_activity
  where datname = current_database() and application_name like 'tracewright-%' and application_name <> 'tracewright-test'`

const isStored = async ({ database }: Fleet, spanId: string): Promise<number> =>
  (await database.query('select from events where span_id = $1', [Buffer.from(spanId, 'hex')])).length

/** Returns the differences between the tables and what the exporter knows; empty where there are none. */
async function findFaults({ database, exporter, workspaceId }: Fleet): Promise<string[]> {
  const counts = await count(database.query, workspaceId)
  const rows = await database.query<{ id: string }>(
    `select encode(span_id, 'hex') as id from events where workspace_id = $1`,
    [workspaceId],
  )
  const stored = new Set(rows.map(({ id }) => id))
  const lost = [...exporter.acknowledged].filter((id) => !stored.has(id)).length
  const read = await countRead(database.db, workspaceId)
  const strange = [...stored].filter((id) => !exporter.sent.has(id)).length
  return [
    ...listDifferences(counts),
    ...(rows.length === stored.size ? [] : [`${rows.length - stored.size} events are stored twice`]),
    ...(read === rows.length ? [] : [`the rollups tell of ${read} events, and ${rows.length} are stored`]),
    ...(lost === 0 ? [] : [`${lost} acknowledged spans are lost`]),
    ...(strange === 0 ? [] : [`${strange} events that nobody sent`]),
    ...exporter.oddities,
  ]
}

/** Stores one of the events once more, as a service without duplicate detection would. The key of the table has the time of the start. */
async function storeTwice({ database, workspaceId }: Fleet): Promise<void> {
  await database.query(
    `insert into events
     select (jsonb_populate_record(e, jsonb_build_object('start_time', e.start_time + interval '1 microsecond'))).*
     from events e where workspace_id = $1 limit 1`,
    [workspaceId],
  )
}

/** Sends everything until it is acknowledged and every trace is settled. Returns the running service. */
async function finish({ database, exporter, start }: Fleet): Promise<ServiceProcess> {
  const service = await start()
  await exporter.drain(service.baseUrl)
  await until(async () => (await database.query('select from traces where not settled limit 1')).length === 0)
  return service
}

/** Ends the service by SIGTERM under load. Returns its exit code: not 0 if it cannot stop in order. */
async function endUnderLoad({ exporter }: Fleet, service: ServiceProcess): Promise<number | null> {
  const before = exporter.acknowledged.size
  exporter.send(service.baseUrl, inFlight)
  await until(async () => exporter.acknowledged.size > before)
  const code = await service.end('SIGTERM')
  await exporter.pause()
  return code
}

async function report(t: ExecutionContext, { database, exporter, workspaceId }: Fleet): Promise<void> {
  const { events, duplicate } = await count(database.query, workspaceId)
  t.log(
    `${exporter.acknowledged.size} spans acknowledged, ${events} stored, ${duplicate} told again, ${exporter.retries()} batches retried`,
  )
}

test.serial(
  `kill -9${kills > 1 ? `, ${kills} times` : ''}, and SIGTERM under load: acknowledged spans are stored once, and every counter is equal to the rows`,
  async (t) => {
    t.timeout(90_000 + kills * 15_000)
    const fleet = await openFleet()
    try {
      for (let round = 0; round < kills; round += 1) {
        await killOnce(fleet, round % 2 === 0 ? 'untold' : 'random')
        t.deepEqual(await findFaults(fleet), [], `after kill ${round + 1}`)
      }
      const service = await finish(fleet)
      t.is((await count(fleet.database.query, fleet.workspaceId)).events, fleet.exporter.acknowledged.size)
      t.is(fleet.exporter.acknowledged.size, fleet.exporter.sent.size)
      // The rounds with a client that ignores answers already cause this many.
      t.true((await count(fleet.database.query, fleet.workspaceId)).duplicate >= Math.ceil(kills / 2) * spansInBatch)
      t.is(await endUnderLoad(fleet, service), 0)
      await report(t, fleet)
      t.deepEqual(await findFaults(fleet), [])
      await finishAll(fleet.database.db, fleet.workspaceId)
      const fresh = await countFresh(fleet.database.db, fleet.workspaceId)
      t.deepEqual(differences(fresh, await readStored(fleet.database, fleet.workspaceId)), [])
      await storeTwice(fleet)
      const faults = await findFaults(fleet)
      t.true(faults.includes('1 events are stored twice'), `the control: ${faults.join('; ')}`)
    } finally {
      await fleet.stop()
    }
  },
)
