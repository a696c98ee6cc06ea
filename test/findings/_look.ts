// A database with workspaces and the events of their agents, and scans for findings.
import { randomBytes, randomUUID } from 'node:crypto'
import { type DetectDeps, type Detected, detectFindings } from '../../src/findings/detect-findings.ts'
import type { Detector } from '../../src/findings/detector.ts'
import type { FindingRow } from '../../src/findings/finding-shape.ts'
import { appendDeltas } from '../../src/rollups/append-deltas.ts'
import { eachFactOf, readFacts } from '../../src/rollups/read-facts.ts'
import { recountScopes } from '../../src/rollups/scopes/recount-scopes.ts'
import { addToDelta, type Delta } from '../../src/sketches/delta.ts'
import { makeFact } from '../../src/sketches/fact.ts'
import type { Database } from '../../src/store/database.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type EventSeed, hexId, storeEvents } from '../_kit/events.ts'

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
/** A Tuesday, not on a full minute. */
export const nowMs = Date.parse('2026-03-10T12:34:56.789Z')

/** A seed with a time; its ids and its start are derived from a counter and that time. */
export type Draft = Partial<EventSeed> & { readonly atMs: number }

export type Stored = FindingRow & { subject: string; resolved_at: Date | null }

export type Looks = {
  readonly db: TestDatabase
  makeWorkspace(): Promise<string>
  /** Stores events with their rollups, in the order given. A draft without a trace or span gets new ids. */
  store(workspaceId: string, drafts: readonly Draft[]): Promise<void>
  /** Runs one scan, by one detector or all. A detector that fails makes the test fail. */
  look(workspaceId: string, options?: { nowMs?: number; detector?: Detector }): Promise<Detected>
  /** All findings, oldest first. */
  list(workspaceId: string): Promise<Stored[]>
}

/** Numbers all drafts, so that no two events are the same. */
let made = 0

export const draft = (more: Draft): EventSeed => {
  made += 1
  const { atMs, ...seed } = more
  return {
    start: new Date(atMs).toISOString(),
    trace: hexId(made, 32),
    span: hexId(made, 16),
    ...seed,
  }
}

export async function openLooks(): Promise<Looks> {
  const db = await makeDatabase()
  const store = async (workspaceId: string, drafts: readonly Draft[]): Promise<void> => {
    await storeSeeds(db, workspaceId, drafts.map(draft))
  }
  return {
    db,
    store,
    makeWorkspace: async () => {
      const id = randomUUID()
      const orgId = randomUUID()
      await db.query('insert into orgs (id, name) values ($1, $2)', [orgId, 'org'])
      await db.query('insert into workspaces (id, org_id, name, plan, redaction_secret) values ($1, $2, $3, $4, $5)', [
        id,
        orgId,
        'workspace',
        'self_hosted',
        randomBytes(32),
      ])
      return id
    },
    look: async (workspaceId, { nowMs: atMs = nowMs, detector } = {}) => {
      const deps: DetectDeps = {
        db: withoutLookLimit(db.db),
        nowMs: () => atMs,
        onFailure: (type, error) => {
          throw new Error(`${type} failed`, { cause: error })
        },
        ...(detector === undefined ? {} : { detectors: [detector] }),
      }
      return await detectFindings(deps, workspaceId)
    },
    list: async (workspaceId) =>
      await db.query<Stored>(
        'select *, occurrences::int as occurrences from findings where workspace_id = $1 order by id',
        [workspaceId],
      ),
  }
}

/** A database that sets no time limit for the statements of a detector. A slow machine may exceed the one of the service. */
export const withoutLookLimit = (db: Database): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(
      async (tx) =>
        await work({
          ...tx,
          run: async (statement, values) =>
            await tx.run(statement, statement === 'findings/bound-look' ? ['0'] : values),
        }),
      options,
    ),
})

/** Stores events, and the delta that the storing transaction would have added to the rollups. */
export async function storeSeeds(db: TestDatabase, workspaceId: string, seeds: readonly EventSeed[]): Promise<void> {
  const keyOf = (trace: string, us: number): string => `${trace} ${us}`
  const wanted = new Set(seeds.map(({ trace, start }) => keyOf(trace, Date.parse(start) * 1_000)))
  await storeEvents(db.query, workspaceId, seeds)
  const always = { from: new Date(0), to: new Date('2100-01-01') }
  const delta: Delta = new Map()
  const fact = makeFact()
  for (const row of await readFacts(db.db, workspaceId, always, null)) {
    if (wanted.has(keyOf(row.trace_id.toString('hex'), row.start_us)))
      eachFactOf(fact, row, (one) => addToDelta(delta, one, 1))
  }
  await db.db.tx(async (tx) => appendDeltas(tx, new Map([[workspaceId, delta]])))
  const window = { fromMs: 0, toMs: Date.parse('2100-01-01') }
  const signal = new AbortController().signal
  await recountScopes(db.db, { workspaceId, window, maxEvents: 100_000, signal })
}

/** Returns the traces that a finding names. */
export const tracesOf = (finding: Stored | undefined): string[] => (finding?.evidence['trace_ids'] ?? []) as string[]

/** Returns `times` equal drafts at intervals of `stepMs`, the last one at `lastMs`. */
export const repeat = (times: number, lastMs: number, stepMs: number, more: Omit<Draft, 'atMs'>): Draft[] =>
  Array.from({ length: times }, (_, at) => ({ ...more, atMs: lastMs - (times - 1 - at) * stepMs }))

let tracesMade = 2_000_000

/** Returns results of a tool, each consumed by a call of a model in its own trace, `read` of them read. */
export function consumedResults(tool: string, results: number, read: number, more: Partial<Draft> = {}): Draft[] {
  return Array.from({ length: results }, (_, at) => {
    const trace = hexId((tracesMade += 1), 32)
    const callId = `${tool} ${at}`
    const atMs = nowMs - hourMs - at * minuteMs
    return [
      { kind: 'tool' as const, tool, callId, trace, atMs, providedCostUsd: 0.35, ...more },
      {
        kind: 'llm' as const,
        model: 'gpt-4o',
        trace,
        atMs: atMs + 5_000,
        consumed: [callId],
        read: at < read ? [callId] : [],
      },
    ]
  }).flat()
}
