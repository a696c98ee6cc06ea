// The detail of one event: the fields of an Event and those of its payload.
import { z } from 'zod'
import { dateTimeOut } from '../../web/shapes.ts'
import { eventFields, type SelectedEvent, showEvent, spanIdOut, traceIdOut } from './event-shape.ts'
import type { StoredPayload } from './read-payload.ts'

const attributes = z.record(z.string(), z.unknown()).meta({ examples: [{ 'http.response.status_code': 200 }] })

const message = z
  .object({
    role: z.string(),
    parts: z.array(
      z.looseObject({
        type: z.string().meta({ examples: ['text', 'reasoning', 'tool_call', 'tool_result', 'image', 'blob'] }),
      }),
    ),
  })
  .meta({ id: 'Message', description: 'One message, in the same form for every instrumentation' })

export const eventDetailOut = z
  .object({
    ...eventFields,
    attributes,
    resource: z.object({ attributes, schema_url: z.string() }),
    scope: z.object({ name: z.string(), version: z.string(), attributes }),
    events: z.array(z.object({ name: z.string(), time: dateTimeOut.nullable(), attributes })),
    links: z.array(z.object({ trace_id: traceIdOut, span_id: spanIdOut, attributes })),
    dropped: z
      .object({ attributes: z.number().int(), events: z.number().int(), links: z.number().int() })
      .meta({ description: 'Counts of what the sender dropped before it sent the span' }),
    input_messages: z.array(message).optional(),
    output_messages: z.array(message).optional(),
    tool_arguments: z.unknown().optional(),
    tool_result: z.unknown().optional(),
    encrypted: z
      .object({ bytes: z.number().int(), key_id: z.string().nullable() })
      .optional()
      .meta({ description: 'A stored tool result that only the owner of the key can decrypt' }),
  })
  .meta({ id: 'EventDetail', description: 'An event with all content that the content mode of its workspace stores' })

export type EventDetailRow = SelectedEvent & {
  body: Buffer | null
  payload_no: number | null
  ciphertext_bytes: number | null
  key_id: string | null
}

/** Converts one event and its payload to the form that the interface shows. */
export function showEventDetail(row: EventDetailRow, stored: StoredPayload): z.input<typeof eventDetailOut> {
  const { payload, flags } = stored
  return {
    ...showEvent(row),
    ...payload,
    flags: [...new Set([...row.flags, ...flags])].sort(),
    ...(row.ciphertext_bytes === null ? {} : { encrypted: { bytes: row.ciphertext_bytes, key_id: row.key_id } }),
  }
}
