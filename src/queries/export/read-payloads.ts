// Reads the payloads of a page of events, with a limit on the bytes of their blocks in memory.
import { LRUCache } from 'lru-cache'
import type { Database } from '../../store/database.ts'
import { inflateBlock, readInflated, type StoredPayload } from '../events/read-payload.ts'
import type { ExportRow } from './read-pages.ts'

// A single block may be larger, up to 64 MiB inflated.
const maxCompressedBytes = 4_194_304
const maxInflatedBytes = 16_777_216
// The other spans of a block were received in the same request, and nearly always start within a day.
const nearMs = 86_400_000
const never = 'infinity'

type Block = { readonly id: string; readonly body: Buffer }

export type PayloadReader = {
  /** Returns the payload of an event of the page, and reads ahead the blocks of the events after it. */
  read(page: readonly ExportRow[], at: number): Promise<StoredPayload>
}

/** Reads in the order of the pages. Each block is read once or a few times, and several in one statement. */
export function openPayloadReader(db: Database, workspaceId: string): PayloadReader {
  const inflated = new LRUCache<string, Buffer>({
    maxSize: maxInflatedBytes,
    sizeCalculation: (body) => Math.max(1, body.byteLength),
  })
  let compressed = new Map<string, Buffer>()
  /** The block of the previous event. The cache does not keep it if it is too large. */
  let last: Block | null = null

  const fetchBlocks = async (ids: readonly string[], from: string, until: Date | string): Promise<Block[]> =>
    await db.rows<Block>('queries/export-blocks', [workspaceId, ids, from, until, maxCompressedBytes])

  async function fetchFrom(page: readonly ExportRow[], at: number, id: string): Promise<Buffer | null> {
    const rest = page.slice(at).filter(({ is_due: isDue }) => isDue)
    const ids = new Set(rest.flatMap(({ payload_id: one }) => (one === null || inflated.has(one) ? [] : [one])))
    const from = page[at]?.start_key ?? ''
    const latestMs = page.at(-1)?.start_time.getTime() ?? 0
    const near = await fetchBlocks([...ids], from, new Date(latestMs + nearMs))
    compressed = new Map(near.map((block) => [block.id, block.body]))
    const found = compressed.get(id)
    if (found !== undefined) return found
    const [far] = await fetchBlocks([id], from, never)
    return far?.body ?? null
  }

  async function readBlock(page: readonly ExportRow[], at: number, id: string): Promise<Buffer | null> {
    const held = last?.id === id ? last.body : inflated.get(id)
    if (held !== undefined) return held
    const block = compressed.get(id) ?? (await fetchFrom(page, at, id))
    compressed.delete(id)
    if (block === null) return null
    const body = await inflateBlock(block)
    inflated.set(id, body)
    last = { id, body }
    return body
  }

  return {
    read: async (page, at) => {
      const row = page[at]
      const id = row?.payload_id ?? null
      const no = row?.payload_no ?? null
      const body = id === null ? null : await readBlock(page, at, id)
      return readInflated(body, no)
    },
  }
}
