// Requests whose spans are all stored, by the digest of their bytes: an exporter that got no answer sends the same bytes again.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { inSlices } from '../base/in-slices.ts'

/**
 * The number of spans of the request, how many of them have partly withheld content, and the timeline of the database on which all of them
 * were stored.
 */
export type RecentRequest = { readonly spans: number; readonly withheldSpans: number; readonly timeline: string }

export type RecentRequests = {
  /** Null: it is not known that all spans of the request with this digest were stored. */
  find(digest: string): RecentRequest | null
  /** Of the workspace, the oldest request is forgotten if it already has its share. */
  add(workspaceId: string, digest: string, request: RecentRequest): void
  /** Forgets all requests, after a database failure: commits may be lost with a failed server. */
  forget(): void
}

const maxRequests = 16_384
/** So that one workspace with many small requests leaves room to the others. */
const maxPerWorkspace = 2_048
/** Longer than exporters retry. */
const keptMs = 15 * 60_000

type Kept = RecentRequest & { readonly workspaceId: string }

/** Opens the memory of this process, about 5 MB when full. Other fronts do not share it; they find repeats in the database. */
export function openRecentRequests(): RecentRequests {
  /** The digests of each workspace, oldest first. */
  const owned = new Map<string, Set<string>>()
  const requests = new LRUCache<string, Kept>({
    max: maxRequests,
    ttl: keptMs,
    dispose({ workspaceId }, digest) {
      const own = owned.get(workspaceId)
      own?.delete(digest)
      if (own?.size === 0) owned.delete(workspaceId)
    },
  })
  return {
    find: (digest) => requests.get(digest) ?? null,
    add(workspaceId, digest, request) {
      requests.set(digest, { ...request, workspaceId })
      const own = owned.get(workspaceId) ?? new Set()
      owned.set(workspaceId, own.add(digest))
      const [oldest] = own
      if (own.size > maxPerWorkspace && oldest !== undefined) requests.delete(oldest)
    },
    forget: () => requests.clear(),
  }
}

/** Returns a digest of workspace, form and bytes. Yields to other requests while a large body is hashed. */
export async function digestRequest(request: {
  readonly workspaceId: string
  readonly encoding: string
  readonly gzip: boolean
  readonly body: Uint8Array
}): Promise<string> {
  const hash = createHash('sha256').update(`${request.workspaceId} ${request.encoding} ${request.gzip} `)
  await inSlices(request.body.byteLength, (from, to) => hash.update(request.body.subarray(from, to)))
  return hash.digest('base64')
}
