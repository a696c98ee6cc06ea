// Floor 3. The payload of a stored event: one of a block of compressed JSON, apart from the event itself.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Message } from '../../otlp/event.ts'

type Attributes = Record<string, unknown>

export type Payload = {
  readonly attributes: Attributes
  readonly resource: { readonly attributes: Attributes; readonly schema_url: string }
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: Attributes }
  readonly events: { name: string; time: string | null; attributes: Attributes }[]
  readonly links: { trace_id: string; span_id: string; attributes: Attributes }[]
  readonly dropped: { readonly attributes: number; readonly events: number; readonly links: number }
  readonly input_messages?: { role: string; parts: Message['parts'][number][] }[]
  readonly output_messages?: { role: string; parts: Message['parts'][number][] }[]
  readonly tool_arguments?: unknown
  readonly tool_result?: unknown
}

// Ingest inflates no request beyond this, so that no payload of ours can be larger.
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

/**
 * What place `no` of the block holds; without a block (its retention ended before the event's) the parts are there and empty.
 * Throws where it is damaged. About 1 ms: a block holds up to 64 payloads.
 */
export async function readPayload(block: Buffer | null, no: number | null): Promise<Payload> {
  if (block === null || no === null) return nothing
  const text = await decompress(block, { maxOutputLength: maxInflatedBytes })
  const payloads = JSON.parse(text.toString()) as Partial<Payload>[]
  return { ...nothing, ...payloads[no] }
}
