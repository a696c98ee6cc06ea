// The expected rollups of a workspace: a fresh count of its events, independent of the code that rebuilds.

import { doWork, type WorkLimits } from '../../src/rollups/do-work.ts'
import { foldDeltas } from '../../src/rollups/fold-deltas.ts'
import { readRollups } from '../../src/rollups/read.ts'
import { eachFactOf, readFacts } from '../../src/rollups/read-facts.ts'
import { addFact, type Bucket, makeBucket } from '../../src/sketches/bucket.ts'
import { counterAt } from '../../src/sketches/counters.ts'
import { makeFact } from '../../src/sketches/fact.ts'
import { encodeRow } from '../../src/sketches/row-codec.ts'
import { readEvents } from '../../src/sketches/total-codec.ts'
import type { Database } from '../../src/store/database.ts'
import type { TestDatabase } from '../_kit/db.ts'

export const lengthsMs = [60_000, 3_600_000, 86_400_000] as const
const always = { from: new Date(0), to: new Date('2100-01-01') }

export const limits: WorkLimits = {
  maxDeltas: 50,
  maxMinutes: 100,
  maxEvents: 500,
  staleAfterMs: 0,
  onDamage: () => undefined,
}

/** Far enough in the future for everything to be due. */
export const wholeDaysMs = 400 * 86_400_000

const columns = ['total', 'cells', 'sets'] as const

/** Bytes in hex by tier and start. */
export type Rows = Record<string, Record<(typeof columns)[number], string | null>>

const nameOf = (tier: number, startMs: number): string => `${tier} ${new Date(startMs).toISOString()}`
function encode(bucket: Bucket): Rows[string] {
  const row = encodeRow(bucket)
  const hex = columns.map((name) => [name, row[name]?.toString('hex') ?? null])
  return Object.fromEntries(hex) as Rows[string]
}

/** A fresh count of all events, for every tier. */
export async function countFresh(db: Database, workspaceId: string): Promise<Rows> {
  const buckets = new Map<string, Bucket>()
  const fact = makeFact()
  for (const row of await readFacts(db, workspaceId, always, null)) {
    for (const [tier, lengthMs] of lengthsMs.entries()) {
      const name = nameOf(tier, Math.floor(row.start_us / 1_000 / lengthMs) * lengthMs)
      const bucket = buckets.get(name) ?? makeBucket()
      buckets.set(name, bucket)
      eachFactOf(fact, row, (one) => addFact(bucket, one, 1))
    }
  }
  return Object.fromEntries([...buckets].map(([name, bucket]) => [name, encode(bucket)]))
}

/** Returns the number of events that a read over all time reports. */
export async function countRead(db: Database, workspaceId: string): Promise<number> {
  let events = 0
  await readRollups(db, workspaceId, always, { cells: false, cutsMs: [] }, (part) => {
    events += 'bucket' in part ? (part.bucket.total.counters[counterAt.events] ?? 0) : readEvents(part.total)
  })
  return events
}

/** Returns the rows of the table. */
export async function readStored(base: TestDatabase, workspaceId: string): Promise<Rows> {
  const rows = await base.query<{ tier: number; start_time: Date } & Rows[string]>(
    `select tier, start_time, ${columns.map((name) => `encode(${name}, 'hex') as ${name}`).join()} from rollups
     where workspace_id = $1 order by tier, start_time`,
    [workspaceId],
  )
  return Object.fromEntries(rows.map(({ tier, start_time, ...bytes }) => [nameOf(tier, start_time.getTime()), bytes]))
}

/** Folds until no delta is left. */
export async function foldAll(db: Database, workspaceIds: readonly string[]): Promise<number> {
  let deltas = 0
  for (;;) {
    const folded = await foldDeltas(db, workspaceIds, limits)
    deltas += folded.deltas
    if (folded.deltas === 0) return deltas
  }
}

/** Folds, rebuilds and sums until no work is left, now or later. */
export async function finishAll(db: Database, workspaceId: string): Promise<void> {
  await foldAll(db, [workspaceId])
  while ((await doWork(db, workspaceId, limits, wholeDaysMs)).result !== 'none');
}

/** Names of the rows that differ. */
export const differences = (one: Rows, other: Rows): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) =>
    columns.some((column) => one[name]?.[column] !== other[name]?.[column]),
  )
