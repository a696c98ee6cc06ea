// The versioned JSON around each request to an actor and each reply. Fields are only ever added, since different releases run side by side
// during a rollout.
import { isUuid } from '../base/ids.ts'

export type Envelope = {
  readonly op: string
  readonly ws: string
  /** The epoch of the ownership that the sender knows. */
  readonly epoch: number
  readonly reqId: string
  /**
   * How long the sender waits; after that the actor need not answer. 0: the sender does not wait, but the request should still be carried
   * out.
   */
  readonly budgetMs: number
  readonly body: unknown
}

/**
 * Why an actor gives no answer. After `not_owner` and `fenced` the sender first tries again, since another process may own the partition by
 * now (`ask-owner.ts`). After each other one, and after the last attempt, it proceeds without the actor.
 */
const failureCodes = [
  'busy',
  'not_owner',
  'fenced',
  'bad_request',
  'expired',
  'outage',
  'unknown_workspace',
  'too_large',
  'failed',
] as const
export type FailureCode = (typeof failureCodes)[number]

export type OwnerReply =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly code: FailureCode }

const version = 1
/** Far above the size of any operation; also the limit of a snapshot reply. Half of the limit of NATS. */
export const maxMessageBytes = 512 * 1024

export const encodeEnvelope = (envelope: Envelope): Uint8Array => encodeMessage({ v: version, ...envelope })

/** Returns null if the bytes are not a valid request. */
export function decodeEnvelope(bytes: Uint8Array): Envelope | null {
  const value = decodeMessage(bytes)
  if (value === null || !isVersion(value['v'])) return null
  const { op, ws, epoch, reqId, budgetMs, body } = value
  if (typeof op !== 'string' || typeof ws !== 'string' || !isUuid(ws) || typeof reqId !== 'string') return null
  if (!Number.isSafeInteger(epoch) || typeof budgetMs !== 'number' || !(budgetMs >= 0)) return null
  return { op, ws: ws.toLowerCase(), epoch: epoch as number, reqId, budgetMs, body }
}

export function encodeReply(reply: OwnerReply): Uint8Array {
  const bytes = encodeMessage({ v: version, ...reply })
  return bytes.byteLength <= maxMessageBytes ? bytes : encodeMessage({ v: version, ok: false, code: 'too_large' })
}

/** Returns null if the bytes are not a valid reply. A code that a newer release may have added becomes `failed`. */
export function decodeReply(bytes: Uint8Array): OwnerReply | null {
  const value = decodeMessage(bytes)
  if (value === null || !isVersion(value['v'])) return null
  if (value['ok'] === true) return { ok: true, body: value['body'] }
  if (value['ok'] !== false) return null
  return { ok: false, code: failureCodes.find((code) => code === value['code']) ?? 'failed' }
}

export const encodeMessage = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

/** Returns any JSON object within the size limit, or null. */
export function decodeMessage(bytes: Uint8Array): Record<string, unknown> | null {
  if (bytes.byteLength > maxMessageBytes) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    // Not JSON: treated like any other malformed message.
    return null
  }
}

/** Whether the value is a whole number from 0 on. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isVersion = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 1
