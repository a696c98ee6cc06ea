// The gate beside a running service: neither repeated deliveries nor a restart change its figures.
import { createHash } from 'node:crypto'
import test from 'ava'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { startService } from '../_kit/serve.ts'
import { encodeRequest, makeTraceSpans, type OtlpSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { post } from '../ingest/_http.ts'
import { makeCustomer, seal } from '../serving/tool-result/_sealed.ts'
import { gate, makeDecision, readShown } from './_gated.ts'

const service = await startService()
const openPool = (): Database =>
  openDatabase({
    url: service.databaseUrl,
    statements: loadStatements(),
    name: 'gate',
    maxConnections: 2,
    statementTimeoutMs: 30_000,
    acquireTimeoutMs: 30_000,
    onIdleError: () => undefined,
  })
test.after.always(async () => await service.stop())

const customer = makeCustomer()
const hourMs = 3_600_000

/** Executions of the last hour, a second apart, each in its own trace. The holdout is drawn by their ids. */
function makeSpans(count: number, fromMs: number, result: string, name = result): OtlpSpan[] {
  return makeTraceSpans(count, (at) => ({
    traceId: randomTraceId(),
    spanId: createHash('sha256').update(`${name} ${at}`).digest('hex').slice(0, 16),
    start: fromMs + at * 1_000,
    attributes: seal(customer, 'search', 'a', result),
  }))
}

test('redelivered spans change no number, whichever spans come with them; neither does a measurement by a new process', async (t) => {
  const { workspaceId, query } = service
  const first = openPool()
  const subject = await makeDecision({ db: first, query }, { workspaceId })
  const fromMs = Date.now() - hourMs
  await query('update decisions set shadow_at = $2 where id = $1', [subject.decisionId, new Date(fromMs - 1_000)])
  const same = makeSpans(50, fromMs, 'same')
  const other = makeSpans(1, fromMs + 20_500, 'other')
  const look = async (db: Database) => {
    await service.settled()
    await until(async () => (await gate({ db, query }, subject, Date.now())).verdict !== 'unmeasured')
    return await readShown({ db, query }, subject)
  }
  t.is((await post(service, encodeRequest([...same, ...other]))).status, 200)
  const shown = await look(first)
  t.is(shown.state, 'shadow')
  t.true(shown.shadow_samples > 20 && (shown.score?.wrong ?? 0) >= 1)

  await post(service, encodeRequest([...same, ...other]))
  await post(service, encodeRequest([...other, ...same.slice(10, 30)]))
  t.deepEqual(await look(first), shown)
  await first.stop()

  await query(
    `update decisions set shadow_samples = 0, shadow_match_rate = null, score = null, latency_delta_ms = null, measured_at = null
     where id = $1`,
    [subject.decisionId],
  )
  await query('delete from ladders where workspace_id = $1', [workspaceId])
  const second = openPool()
  t.deepEqual(await look(second), shown)
  await post(service, encodeRequest(makeSpans(50, fromMs + 55_000, 'same', 'later')))
  t.true((await look(second)).shadow_samples > shown.shadow_samples)
  await second.stop()
})
