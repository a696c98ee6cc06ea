// The facts about a workspace that decoding and admission need, cached in memory.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import { late, withTimeout } from '../base/within.ts'
import { type SharedPrices, sharePrices } from '../pricing/shared-prices.ts'
import type { ContentMode } from '../redact/content-mode.ts'
import type { Database } from '../store/database.ts'
import { type Plan, readPlan } from '../workspaces/plans.ts'
import { readPrices } from '../workspaces/prices/read-prices.ts'

export type WorkspaceFacts = {
  readonly plan: Plan
  readonly contentMode: ContentMode
  readonly redactionSecret: Uint8Array
  /** The workspace's own prices, in the form for decode threads; null: it has none. */
  readonly prices: SharedPrices | null
}

export type WorkspaceFactsBook = {
  /**
   * Returns facts that are at most 5 s old; null if the workspace is deleted. Throws Outage if the database does not answer within 2 s. A
   * miss costs one query, and a second one if the prices are new; concurrent readers share it.
   */
  read(workspaceId: string): Promise<WorkspaceFacts | null>
  forget(workspaceId: string): void
  /** Called when notices of changes may have been lost. */
  forgetAll(): void
}

type Row = { plan: string; content_mode: ContentMode; redaction_secret: Buffer; prices_revision: string | null }

const maxWorkspaces = 10_000
/** Limit of the cached price lists. A list of 500 rows usually has 80 KB, and at most 2 MB. */
const maxPriceBytes = 33_554_432
const maxAgeMs = 5_000
const defaultTimeoutMs = 2_000

export function openWorkspaceFacts(
  db: Pick<Database, 'row'>,
  clock: { now(): number } = performance,
  timeoutMs = defaultTimeoutMs,
): WorkspaceFactsBook {
  const cache = new LRUCache<string, { facts: WorkspaceFacts | null }>({
    max: maxWorkspaces,
    maxSize: maxPriceBytes,
    sizeCalculation: ({ facts }) => 1 + (facts?.prices?.bytes.byteLength ?? 0),
    ttl: maxAgeMs,
    perf: clock,
    // An entry that is forgotten during its fetch is still returned to the waiting readers, but not cached.
    ignoreFetchAbort: true,
    fetchMethod: async (workspaceId, held) => {
      const row = await db.row<Row>('ingest/read-workspace', [workspaceId])
      if (row === null) return { facts: null }
      const facts = {
        plan: readPlan(row.plan),
        contentMode: row.content_mode,
        redactionSecret: new Uint8Array(row.redaction_secret),
        prices: await shareOwn(db, workspaceId, row.prices_revision, held?.facts?.prices ?? null),
      }
      return { facts }
    },
  })
  return {
    async read(workspaceId) {
      const known = await withTimeout(timeoutMs, cache.fetch(workspaceId))
      if (known === late) throw new Outage('failure', 'the workspace could not be read in time')
      return known?.facts ?? null
    },
    forget: (workspaceId) => void cache.delete(workspaceId),
    forgetAll: () => cache.clear(),
  }
}

/** Reads the price list only if its revision differs from the cached one. */
async function shareOwn(
  db: Pick<Database, 'row'>,
  workspaceId: string,
  revision: string | null,
  held: SharedPrices | null,
): Promise<SharedPrices | null> {
  if (revision === null) return null
  if (held?.revision === revision) return held
  const read = await readPrices(db, workspaceId)
  return read.ok && read.value !== null ? sharePrices(read.value) : null
}
