// node test/bench/optimizer.ts: what judging rules costs, with PostgreSQL: first a history that is replayed, then new executions, and a
// workspace with 500 tools of 1,000 inputs, of which 100 are measured.
import { randomUUID } from 'node:crypto'
import { completeConfig } from '../../src/decisions/config.ts'
import { createDecision } from '../../src/decisions/create.ts'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import { proposeFor } from '../../src/decisions/propose/propose-for.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { usualRules } from '../_kit/usual-rules.ts'
import { makeWorkspace } from '../_kit/workspace.ts'
import { cpuSeconds, readMemory } from './_cpu.ts'
import { type BenchPostgres, startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { type Stops, withStops } from './_stops.ts'

const dayS = 86_400
const shadowS = Math.floor(Date.now() / 1_000) - dayS

type Fill = {
  readonly workspaceId: string
  readonly tools: number
  readonly inputs: number
  readonly calls: number
  readonly fromS: number
  readonly toS: number
}

/** Inserts attested executions of `tools` by one agent, evenly over a period; all executions of an input give the same result. */
async function fill({ query }: BenchPostgres, { workspaceId, tools, inputs, calls, fromS, toS }: Fill): Promise<void> {
  await query(
    `insert into agents (workspace_id, id, name, first_seen, last_seen, events) values ($1, $1, 'agent', now(), now(), 0) on conflict do nothing`,
    [workspaceId],
  )
  await query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status, tool_name, input_hash,
       content_hash, key_id, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, duration_us, provided_cost_usd, flags,
       finish_reasons)
     select $1, to_timestamp($5::float8 + ($6::float8 - $5::float8) * n / $4), decode(lpad(to_hex(n + $7::bigint), 32, '0'), 'hex'),
       decode(md5((n + $7::bigint)::text), 'hex'), $1, 'agent', 'tool', true, 'execute_tool', 'ok', 'tool ' || n % $2, 'input ' || (n / $2) % $3,
       'content', 'key', true, false, false, '{}', '{}', 50000, 0.001, '{}', '{}'
     from generate_series(1, $4) n`,
    [workspaceId, tools, inputs, calls, fromS, toS, Math.floor(fromS) * 1_000],
  )
}

const agentIdOf = (workspaceId: string): string => workspaceId

async function makeShadow(db: Database, postgres: BenchPostgres, workspaceId: string, tool: number): Promise<string> {
  const config = completeConfig({ tool_name: `tool ${tool}`, agent_id: agentIdOf(workspaceId) }, usualRules(dayS))
  const proposal = { workspaceId, type: 'reuse_identity', config, actor: 'gate' } as const
  const { row } = await db.tx(async (tx) => await createDecision(tx, proposal))
  await moveDecision({ db }, { workspaceId, decisionId: row.id, to: 'shadow', actor: 'gate' })
  await postgres.query('update decisions set shadow_at = to_timestamp($2) where id = $1', [row.id, shadowS])
  return row.id
}

type Cost = { readonly nodeMs: number; readonly serverMs: number; readonly wallMs: number }

/** Measures the CPU of this process and of the server for one piece of work. */
async function measure(postgres: BenchPostgres, work: () => Promise<unknown>): Promise<Cost> {
  const serverBefore = cpuSeconds(postgres.pid) ?? Number.NaN
  const before = process.cpuUsage()
  const startedMs = performance.now()
  await work()
  const used = process.cpuUsage(before)
  const serverMs = ((cpuSeconds(postgres.pid) ?? Number.NaN) - serverBefore) * 1_000
  return { nodeMs: (used.user + used.system) / 1_000, serverMs, wallMs: performance.now() - startedMs }
}

async function judgeWhole(db: Database, workspaceId: string, decisionId: string): Promise<void> {
  for (;;) {
    const gated = await gateDecision({ db, nowMs: Date.now }, workspaceId, decisionId)
    if (gated.complete) return
  }
}

/** One tool, 20 inputs, 100,000 executions of six days, then a thousand more, three times. */
async function benchOne(db: Database, postgres: BenchPostgres) {
  const workspaceId = await makeWorkspace(postgres.query)
  const base = { workspaceId, tools: 1, inputs: 20 }
  const nowS = Date.now() / 1_000
  await fill(postgres, { ...base, calls: 100_000, fromS: nowS - 6 * dayS, toS: nowS - 3_600 })
  const decisionId = await makeShadow(db, postgres, workspaceId, 0)
  const first = await measure(postgres, async () => await judgeWhole(db, workspaceId, decisionId))
  const later: Cost[] = []
  for (const at of [0, 1, 2]) {
    await fill(postgres, { ...base, calls: 1_000, fromS: nowS - 3_500 + at * 600, toS: nowS - 3_000 + at * 600 })
    later.push(await measure(postgres, async () => await judgeWhole(db, workspaceId, decisionId)))
  }
  return { first, later }
}

/** 500 tools of 1,000 inputs: a scan proposes rules, and each of 100 measured subjects gets ten new executions. */
async function benchMany(db: Database, postgres: BenchPostgres) {
  const workspaceId = await makeWorkspace(postgres.query)
  const base = { workspaceId, tools: 500, inputs: 1_000 }
  const nowS = Date.now() / 1_000
  await fill(postgres, { ...base, calls: 1_500_000, fromS: nowS - dayS, toS: nowS - 600 })
  await postgres.query('analyze events')
  const propose = await measure(postgres, async () => await proposeFor({ db }, workspaceId))
  const ids: string[] = []
  for (let tool = 0; tool < 100; tool += 1) {
    const known = await postgres.query<{ id: string }>(
      `select id from decisions where workspace_id = $1 and tool_name = $2 and state <> 'disabled'`,
      [workspaceId, `tool ${tool}`],
    )
    const id = known[0]?.id
    if (id !== undefined) await moveDecision({ db }, { workspaceId, decisionId: id, to: 'shadow', actor: 'gate' })
    ids.push(id ?? (await makeShadow(db, postgres, workspaceId, tool)))
  }
  const judgeAll = async (): Promise<void> => {
    for (const id of ids) await judgeWhole(db, workspaceId, id)
  }
  const first = await measure(postgres, judgeAll)
  await fill(postgres, { ...base, calls: 5_000, fromS: nowS - 500, toS: nowS - 100 })
  const look = await measure(postgres, judgeAll)
  const [size] = await postgres.query<{ bytes: number }>(
    'select avg(octet_length(state))::float8 as bytes from ladders where workspace_id = $1',
    [workspaceId],
  )
  return { propose, first, look, stateKiB: (size?.bytes ?? Number.NaN) / 1_024 }
}

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const pool = openDatabase({
    url: postgres.url,
    statements: loadStatements(),
    name: `bench-${randomUUID().slice(0, 8)}`,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    onIdleError: () => undefined,
  })
  const db = stops.add(pool, async () => await pool.stop())
  const one = await benchOne(db, postgres)
  const many = await benchMany(db, postgres)
  const perThousand = (cost: Cost, executions: number): number => (cost.nodeMs * 1_000) / executions
  const later = one.later.map((cost) => perThousand(cost, 1_000))
  report('optimizer', { postgres: postgres.version }, [
    { name: 'actor CPU, 1,000 executions of a history of 100,000', value: perThousand(one.first, 100_000), unit: 'ms' },
    { name: 'server CPU for the same', value: one.first.serverMs / 100, unit: 'ms' },
    { name: 'actor CPU, 1,000 new executions', value: median(later), unit: 'ms', runs: later },
    { name: '500 tools of 1,000 inputs: actor CPU of a look that proposes', value: many.propose.nodeMs, unit: 'ms' },
    { name: 'its wall time', value: many.propose.wallMs, unit: 'ms' },
    { name: 'first replay of 100 of them, 300,000 executions: actor CPU', value: many.first.nodeMs, unit: 'ms' },
    { name: 'a look at the 100, ten new executions each: actor CPU', value: many.look.nodeMs, unit: 'ms' },
    { name: 'its server CPU', value: many.look.serverMs, unit: 'ms' },
    { name: 'state of a subject of 1,000 inputs', value: many.stateKiB, unit: 'KiB' },
    { name: 'memory of this process', value: readMemory(process.pid)?.peakMiB ?? null, unit: 'MiB' },
  ])
}

await withStops(main)
