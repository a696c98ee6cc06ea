// node test/bench/fold.ts: how many small workspaces are folded in a second, and what share of a second one very busy workspace takes.
import { randomBytes } from 'node:crypto'
import { makeBackoff } from '../../src/base/backoff.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { appendDeltas } from '../../src/rollups/append-deltas.ts'
import { doWork } from '../../src/rollups/do-work.ts'
import { foldDeltas } from '../../src/rollups/fold-deltas.ts'
import { type FoldedPart, foldWaiting, type WaitingWorkspace } from '../../src/rollups/fold-waiting.ts'
import { backoffOfWorkspaces, workLimits } from '../../src/rollups/open-folding.ts'
import { addToDelta, type Delta } from '../../src/sketches/delta.ts'
import { makeFact } from '../../src/sketches/fact.ts'
import { hashText48 } from '../../src/sketches/hash.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { makeRandom } from '../_kit/random.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { type Stops, withStops } from './_stops.ts'

const workspaces = 10_000
const rounds = 3
// 50,000 events a second in 20 commits a second, for half a minute.
const eventsACommit = 2_500
const commitsAS = 20
const busyS = 30
const nobody = '00000000-0000-0000-0000-000000000000'
const startMs = Date.parse('2026-01-01T00:00:30Z')

const random = makeRandom(1)
const agents = Array.from({ length: 8 }, () => makeUuidV7())
const fail = (): never => {
  throw new Error('nothing may be damaged here')
}
const limits = { ...workLimits, onDamage: fail }

/** Events of a fleet of 8 agents, 4 models and 6 tools that all started within a second. */
function makeDelta(events: number, atMs: number): Delta {
  const delta: Delta = new Map()
  const fact = makeFact()
  for (let nth = 0; nth < events; nth += 1) {
    const isModel = random.chance(0.5)
    fact.startUs = (atMs + random.int(1_000)) * 1_000
    fact.durationUs = 1_000 * 2 ** random.int(14) + random.int(1_000)
    fact.agentId = random.pick(agents)
    fact.kind = isModel ? 'llm' : 'tool'
    fact.model = isModel ? random.pick(['a', 'b', 'c', 'd']) : null
    fact.tool = isModel ? null : random.pick(['t1', 't2', 't3', 't4', 't5', 't6'])
    fact.counted = true
    fact.inputTokens = random.int(9_000)
    fact.costUsd = random.int(1_000_000) / 1e8
    fact.traceHash = random.int(2 ** 48)
    fact.sessionHash = hashText48(`session ${random.int(100_000)}`)
    fact.inputHash = isModel ? -1 : random.int(2 ** 48)
    addToDelta(delta, fact, 1)
  }
  return delta
}

async function foldSmall(db: Database, postgres: BenchPostgres): Promise<number[]> {
  const ids = Array.from({ length: workspaces }, () => makeUuidV7())
  const org = makeUuidV7()
  await postgres.query('insert into orgs (id, name) values ($1, $2)', [org, 'org'])
  await postgres.query(
    `insert into workspaces (id, org_id, name, plan, redaction_secret) select id, $2, 'workspace', 'free', $3 from unnest($1::uuid[]) id`,
    [ids, org, randomBytes(32)],
  )
  const perS: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (let from = 0; from < ids.length; from += 100) {
      const some = ids.slice(from, from + 100)
      const deltas = new Map(some.map((id) => [id, makeDelta(10, startMs + round * 1_000)]))
      await db.tx(async (tx) => appendDeltas(tx, deltas))
    }
    const startedAtMs = performance.now()
    const waiting = await db.rows<WaitingWorkspace>('rollups/list-waiting', [nobody, workspaces])
    const signal = new AbortController().signal
    const postponed = makeBackoff(backoffOfWorkspaces)
    const fold = async (some: readonly string[]): Promise<FoldedPart> => await foldDeltas(db, some, limits)
    const folded = await foldWaiting({ fold, manyDeltas: 16, repeatMs: 0, postponed, signal, onError: fail }, waiting)
    if (folded !== workspaces) throw new Error(`${folded} deltas were folded`)
    perS.push(workspaces / ((performance.now() - startedAtMs) / 1_000))
  }
  return perS
}

type Busy = { readonly share: number; readonly sumMs: number; readonly deltaBytes: number; readonly rowBytes: number }

/** Returns the seconds of folding for a second of ingest, and the size of the row of an hour afterwards. */
async function foldBusy(db: Database, postgres: BenchPostgres): Promise<Busy> {
  const [{ id } = { id: '' }] = await postgres.query<{ id: string }>(
    'select id from workspaces order by id desc limit 1',
  )
  for (let second = 0; second < busyS; second += 1) {
    for (let nth = 0; nth < commitsAS; nth += 1) {
      const deltas = new Map([[id, makeDelta(eventsACommit, startMs + second * 1_000)]])
      await db.tx(async (tx) => appendDeltas(tx, deltas))
    }
  }
  const [size] = await postgres.query<{ bytes: number }>(
    'select avg(octet_length(body))::float8 as bytes from rollup_deltas',
  )
  const startedAtMs = performance.now()
  // As many deltas at once as there are when the folding is due.
  while ((await foldDeltas(db, [id], { ...limits, maxDeltas: 32 })).deltas > 0);
  const share = (performance.now() - startedAtMs) / 1_000 / busyS
  const [row] = await postgres.query<{ bytes: number }>(
    'select max(octet_length(total) + octet_length(cells))::float8 as bytes from rollups where workspace_id = $1',
    [id],
  )
  const summedAtMs = performance.now()
  await doWork(db, id, limits, 400 * 86_400_000)
  return { share, sumMs: performance.now() - summedAtMs, deltaBytes: size?.bytes ?? 0, rowBytes: row?.bytes ?? 0 }
}

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const pool = openDatabase({
    url: postgres.url,
    statements: loadStatements(),
    name: 'bench',
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    onIdleError: () => undefined,
  })
  const db = stops.add(pool, async () => await pool.stop())
  const small = await foldSmall(db, postgres)
  const busy = await foldBusy(db, postgres)
  report('fold', { postgres: postgres.version, workspaces, events_per_s: eventsACommit * commitsAS }, [
    { name: 'small workspaces folded', value: median(small), unit: 'workspaces/s', runs: small, floor: 500 },
    { name: 'folding a second of 50,000 events', value: busy.share, unit: 's', ceiling: 0.5 },
    { name: 'one of its deltas, 2,500 events', value: busy.deltaBytes, unit: 'bytes' },
    { name: 'the row of one of its minutes', value: busy.rowBytes, unit: 'bytes' },
    { name: 'summing up its hour', value: busy.sumMs, unit: 'ms' },
  ])
}

await withStops(main)
