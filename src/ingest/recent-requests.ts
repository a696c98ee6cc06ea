// Requests whose spans are all stored, by the digest of their bytes: an exporter that got no answer sends the same bytes again.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { inSlices } from '../base/in-slices.ts'

/** The number of spans of the request, and the timeline of the database on which all of them were stored. */
export type RecentRequest = { readonly spans: number; readonly timeline: string }

export type RecentRequests = {
  /** Null: it is not known that all spans of the request with this digest were stored. */
  find(digest: string): RecentRequest | null
  add(digest: string, request: RecentRequest): void
  /** Forgets all requests, after a database failure: commits may be lost with a failed server. */
  forget(): void
}

const maxRequests = 8_192
/** Longer than exporters retry. */
const keptMs = 15 * 60_000

/** Opens the memory of this process, about 2 MB when full. Other fronts do not share it; they find repeats in the database. */
export function openRecentRequests(): RecentRequests {
  const requests = new LRUCache<string, RecentRequest>({ max: maxRequests, ttl: keptMs })
  return {
    find: (digest) => requests.get(digest) ?? null,
    add: (digest, request) => void requests.set(digest, request),
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
