// Concurrent work on the rollups of one workspace: writers with duplicates and rivals, settling, folding and rebuilding by two processes,
// and connections that are cut meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { Outage } from '../../src/base/fault.ts'
import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { settleDueTraces } from '../../src/ingest/settle/settle-traces.ts'
import { doWork } from '../../src/rollups/do-work.ts'
import { foldDeltas } from '../../src/rollups/fold-deltas.ts'
import { foldScopes } from '../../src/rollups/scopes/fold-scopes.ts'
import { askForRebuilds } from '../../src/rollups/work.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { loadStatements, type Statements } from '../../src/store/statements.ts'
import { makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import type { TestDatabase } from '../_kit/db.ts'
import type { Random } from '../_kit/random.ts'
import { limits, wholeDaysMs } from './_truth.ts'

// Around midnight, so that minutes, hours and days all change.
const middleMs = Date.parse('2026-04-01T00:00:00Z')
const spreadMs = 150_000
const maxCuts = 50

/** Returns traces whose spans arrive in any order, so that settling finds other agents and sessions for most of them. */
export function makeTraces(random: Random, count: number): Event[] {
  return Array.from({ length: count }, () => makeTrace(random)).flat()
}

function makeTrace(random: Random): Event[] {
  const start = (): bigint =>
    BigInt(middleMs + random.int(2 * spreadMs) - spreadMs) * 1_000_000n + BigInt(random.int(1_000)) * 1_000n
  const root = makeEvent({
    kind: 'agent',
    agentOwn: random.pick(['planner', 'writer', 'critic']),
    sessionId: random.chance(0.5) ? random.pick(['s1', 's2', 's3']) : null,
    startTimeUnixNano: start(),
    durationUs: random.int(5_000_000),
  })
  const rest = Array.from({ length: 4 + random.int(6) }, (): Event => {
    const known = {
      traceId: root.traceId,
      parentSpanId: root.spanId,
      agentFallback: random.pick(['service', 'worker']),
      startTimeUnixNano: start(),
      durationUs: random.chance(0.1) ? null : random.int(3_000_000),
      status: random.chance(0.1) ? ('error' as const) : ('ok' as const),
    }
    if (random.chance(0.5)) return makeCall(random, known)
    const toolCallId = pickCallId(random)
    return makeEvent({
      ...known,
      kind: 'tool',
      toolName: 'search',
      toolCallId,
      inputHash: random.pick(['h1', 'h2', 'h3']),
    })
  })
  return [root, ...rest]
}

const pickCallId = (random: Random): string | null => (random.chance(0.3) ? random.pick(['c1', 'c2', 'c3']) : null)

/** Some calls are reported by two scopes, some request tools, some have a cost that differs from ours. */
function makeCall(random: Random, known: Partial<Event>): Event {
  const disagrees = random.chance(0.2)
  return makeLlmEvent(random.int(9_000), random.int(900), {
    ...known,
    model: random.pick(['a', 'b']),
    toolRequests: random.chance(0.5) ? [{ id: pickCallId(random), name: random.pick(['search', 'read']) }] : [],
    // Long enough for some to run at the same time.
    durationUs: (known.durationUs ?? 0) * 40,
    scopeName: random.pick(['framework', 'client']),
    scopeVersion: random.pick(['1.0', null]),
    dialect: random.pick(['opentelemetry', null]),
    responseId: random.pick([null, `${known.traceId} 1`, `${known.traceId} 2`]),
    ...(disagrees ? { providedCostUsd: random.int(1_000) / 1e3, flags: new Set(['cost_disagrees'] as const) } : {}),
  })
}

export type StormOptions = {
  readonly random: Random
  readonly workspaceId: string
  readonly events: readonly Event[]
  /** Faulty statements and snapshot mode for the processes that fold and rebuild, as a control. */
  readonly spoil?: { readonly statements: Statements; readonly snapshot: boolean }
  /** Cut connections at random. */
  readonly cuts: boolean
  /** Settle and rebuild meanwhile: both recount minutes, and so hide faults of folding. */
  readonly rebuilds: boolean
}

export type Storm = {
  readonly commits: number
  readonly cuts: number
  readonly clashes: number
  readonly rebuilds: number
}

/** Ends when all events are stored, whichever connections were cut; folding and settling may have work left. */
export async function runStorm(base: TestDatabase, options: StormOptions): Promise<Storm> {
  const { random, workspaceId } = options
  const counts = { commits: 0, cuts: 0, clashes: 0, rebuilds: 0 }
  const fronts = [open(base.url, 'storm-front-1'), open(base.url, 'storm-front-2')] as const
  const folders = ['storm-fold-1', 'storm-fold-2'].map((name) => spoilt(base.url, name, options.spoil))
  const batches = cutUp(random, options.events)
  const over = new AbortController()

  /** Retries as a caller does that is told to. */
  const persist = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        counts.clashes += 1
      }
    }
  }
  const write = async (front: Database, own: Event[][]): Promise<void> => {
    for (const batch of own) {
      const one = makeBatch(workspaceId, batch, { costUsd: random.int(1_000_000) / 1e7 })
      await persist(async () => await storeGroup(front, [one]))
      counts.commits += 1
    }
  }
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!over.signal.aborted) await persist(work)
  }
  const rebuild = async (db: Database): Promise<void> => {
    const fromMs = middleMs + (random.int(6) - 3) * 60_000
    await db.tx(
      async (tx) => await askForRebuilds(tx, [{ workspaceId, fromMs, toMs: fromMs + 60_000 * (1 + random.int(3)) }], 0),
    )
    counts.rebuilds += 1
    await sleep(20)
  }
  const cut = async (): Promise<void> => {
    await sleep(60)
    const name = random.pick(['storm-front-1', 'storm-front-2', 'storm-fold-1', 'storm-fold-2'])
    const [hit] = await base.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = $1 and state <> 'idle' limit 1`,
      [`tracewright-${name}`],
    )
    if (hit !== undefined) counts.cuts += 1
    // On a slow machine every transaction would be hit, and the storm would never end.
    if (counts.cuts >= maxCuts) await new Promise((done) => over.signal.addEventListener('abort', done, { once: true }))
  }
  // Two rivals send each batch, in different orders, and some batches are sent three times.
  const orders = [batches, random.shuffle(batches), random.shuffle(batches.slice(0, batches.length / 3))]
  const background = folders.map(
    async (db) =>
      await repeat(async () => await foldDeltas(db, [workspaceId], { ...limits, maxDeltas: 4, maxMinutes: 3 })),
  )
  background.push(
    ...folders.map(
      async (db) =>
        await repeat(async () => {
          if ((await foldScopes(db, [workspaceId])) === 0) await sleep(5)
        }),
    ),
  )
  if (options.cuts) background.push(repeat(cut))
  if (options.rebuilds) {
    const settle = async (): Promise<void> => {
      const { traces } = await settleDueTraces(fronts[1], 0)
      if (traces === 0) await sleep(5)
    }
    const work = async (db: Database): Promise<void> => {
      const { result } = await doWork(db, workspaceId, { ...limits, maxEvents: 60 }, wholeDaysMs)
      if (result === 'none') await sleep(5)
    }
    background.push(
      repeat(settle),
      repeat(async () => await rebuild(base.db)),
    )
    background.push(...folders.map(async (db) => await repeat(async () => await work(db))))
  }
  const writing = Promise.all(orders.map((order, at) => write(fronts[at % 2] as Database, order))).finally(() => {
    over.abort()
  })
  await Promise.all([writing, ...background])
  await Promise.all([...fronts, ...folders].map((db) => db.stop()))
  return counts
}

/** A span is in one batch; the spans of a trace are in several. */
function cutUp(random: Random, events: readonly Event[]): Event[][] {
  const mixed = random.shuffle(events)
  const batches: Event[][] = []
  while (mixed.length > 0) batches.push(mixed.splice(0, 10 + random.int(40)))
  return batches
}

function open(url: string, name: string, statements: Statements = loadStatements()): Database {
  const ignore = (): void => undefined
  const timeouts = { statementTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  return openDatabase({ url, statements, name, maxConnections: 3, ...timeouts, onIdleError: ignore })
}

function spoilt(url: string, name: string, spoil: StormOptions['spoil']): Database {
  const db = open(url, name, spoil?.statements)
  return spoil === undefined ? db : { ...db, tx: async (work) => await db.tx(work, { snapshot: spoil.snapshot }) }
}
