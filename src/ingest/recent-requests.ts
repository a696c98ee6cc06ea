// Requests whose spans are all stored, by their bytes: an exporter that did not see the answer sends the very same ones again.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { inSlices } from '../base/in-slices.ts'

/** How many spans it holds, and the timeline of the database on which all of them were stored. */
export type RecentRequest = { readonly spans: number; readonly timeline: string }

export type RecentRequests = {
  /** Null where it is not known that all spans of the request of this digest were stored. */
  find(digest: string): RecentRequest | null
  add(digest: string, request: RecentRequest): void
  /** After trouble with the database: what was committed may be lost with a server that failed. */
  forget(): void
}

const maxRequests = 8_192
/** Longer than exporters go on sending. */
const keptMs = 15 * 60_000

/** Memory of one process, about 2 MB when full; another front finds the repeats in the database. */
export function openRecentRequests(): RecentRequests {
  const requests = new LRUCache<string, RecentRequest>({ max: maxRequests, ttl: keptMs })
  return {
    find: (digest) => requests.get(digest) ?? null,
    add: (digest, request) => void requests.set(digest, request),
    forget: () => requests.clear(),
  }
}

/** Tells requests apart by workspace, form and bytes. Other requests have their turns while a large one is hashed. */
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
