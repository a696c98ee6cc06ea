// Floor 3. What decoding and admitting need to know of a workspace, from memory.
import { LRUCache } from 'lru-cache'
import type { ContentMode } from '../otlp/redact/content-mode.ts'
import type { Database } from '../store/database.ts'
import { type Plan, readPlan } from '../workspaces/plans.ts'

export type WorkspaceFacts = {
  readonly plan: Plan
  readonly contentMode: ContentMode
  readonly redactionSecret: Uint8Array
}

export type WorkspaceFactsBook = {
  /** Null: the workspace is deleted. At most 5 s old; a miss is one query, shared by all who wait for it. */
  read(workspaceId: string): Promise<WorkspaceFacts | null>
  forget(workspaceId: string): void
  /** Notices may have been lost. */
  forgetAll(): void
}

type Row = { plan: string; content_mode: ContentMode; redaction_secret: Buffer }

const maxWorkspaces = 10_000
const maxAgeMs = 5_000

export function openWorkspaceFacts(db: Database): WorkspaceFactsBook {
  const cache = new LRUCache<string, { facts: WorkspaceFacts | null }>({
    max: maxWorkspaces,
    ttl: maxAgeMs,
    // What is forgotten while it is being read is still given to who waits for it, and not kept.
    ignoreFetchAbort: true,
    fetchMethod: async (workspaceId) => {
      const row = await db.row<Row>('ingest/read-workspace', [workspaceId])
      if (row === null) return { facts: null }
      const facts = {
        plan: readPlan(row.plan),
        contentMode: row.content_mode,
        redactionSecret: new Uint8Array(row.redaction_secret),
      }
      return { facts }
    },
  })
  return {
    async read(workspaceId) {
      const known = await cache.fetch(workspaceId)
      return known?.facts ?? null
    },
    forget: (workspaceId) => void cache.delete(workspaceId),
    forgetAll: () => cache.clear(),
  }
}
