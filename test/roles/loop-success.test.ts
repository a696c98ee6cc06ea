// What the metric of each background loop shows while the database does not answer.
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { openPlanRetention } from '../../src/roles/retention.ts'
import { openRollupFolding } from '../../src/roles/rollups.ts'
import { openTraceSettling } from '../../src/roles/settling.ts'
import type { Database } from '../../src/store/database.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { makeLoopSuccess } from '../../src/telemetry/loop-success.ts'
import { makeMetrics } from '../../src/telemetry/metrics.ts'

type Opened = Parameters<typeof openTraceSettling>[0]

/** A database that does not answer before `end`, which fails what waits. */
function makeSilentDatabase() {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const wait = () => promise
  const db: Database = {
    row: wait,
    rows: wait,
    run: wait,
    tx: wait,
    snapshot: wait,
    counts: () => ({ total: 0, idle: 0, waiting: 0 }),
    stop: () => Promise.resolve(),
  }
  return { db, end: () => reject(new Error('the test is over')) }
}

test('a loop whose first pass hangs has the time of its start, by which the alert finds it', async (t) => {
  const config = readConfig({})
  const log = makeLog('silent')
  const metrics = makeMetrics()
  const { db, end } = makeSilentDatabase()
  const loops = [
    openPlanRetention(config, db, log, metrics),
    openRollupFolding(db, log, metrics),
    openTraceSettling({ config, databases: { ingest: db }, log, metrics } as Opened),
  ]
  t.teardown(async () => {
    const stopping = loops.map(async (loop) => await loop.stop())
    end()
    await Promise.all(stopping)
  })
  const { values } = await metrics.loopSuccess.get()
  t.deepEqual(
    values.map(({ labels }) => labels.loop),
    ['retention', 'folding', 'settling'],
  )
  t.true(values.every(({ value }) => value > 0))
})

test('a completed pass replaces the time of the start', async (t) => {
  const metrics = makeMetrics()
  const record = makeLoopSuccess(metrics, 'purging')
  metrics.loopSuccess.set({ loop: 'purging' }, 1)
  record()
  const { values } = await metrics.loopSuccess.get()
  t.is(values.length, 1)
  t.true((values[0]?.value ?? 0) > 1)
})
