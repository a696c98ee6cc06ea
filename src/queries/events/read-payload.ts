// Reads the payload of a stored event. A compressed block holds the payloads of several spans, apart from their events.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type Payload, readStoredPayload } from '../../encode/stored-span.ts'
import type { Flag } from '../../event/flag.ts'

export type StoredPayload = { readonly payload: Payload; readonly flags: ReadonlySet<Flag> }

// The limit of ingest for an inflated request, so no stored payload can be larger.
const maxInflatedBytes = 67_108_864

const decompress = promisify(zstdDecompress)

const nothing: Payload = {
  attributes: {},
  resource: { attributes: {}, schema_url: '' },
  scope: { name: '', version: '', attributes: {} },
  events: [],
  links: [],
  dropped: { attributes: 0, events: 0, links: 0 },
}

/** Blocks before migration 0005 hold a JSON array of payloads; an OTLP request never begins with this byte. */
const jsonStart = 0x5b

/**
 * Returns the payload at index `no` of the block. Without a block (its retention ended before that of the event) all parts are present and
 * empty. Throws if the block is damaged. Takes about 0.5 ms: a block holds up to 256 spans.
 */
export async function readPayload(block: Buffer | null, no: number | null): Promise<StoredPayload> {
  return readInflated(block === null ? null : await inflateBlock(block), no)
}

export const inflateBlock = async (block: Buffer): Promise<Buffer> =>
  await decompress(block, { maxOutputLength: maxInflatedBytes })

/** The same for a block that is already inflated. */
export function readInflated(body: Buffer | null, no: number | null): StoredPayload {
  if (body === null || no === null) return { payload: nothing, flags: new Set() }
  if (body[0] !== jsonStart) return readStoredPayload(body, no)
  const payloads = JSON.parse(body.toString()) as Partial<Payload>[]
  return { payload: { ...nothing, ...payloads[no] }, flags: new Set() }
}
