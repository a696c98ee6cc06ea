// Messages between members: heartbeats with the partitions that a member owns, and immediate news of ownership changes.
import { decodeMessage, encodeMessage, isCount } from './envelope.ts'
import { partitionCount } from './partition.ts'

/** One partition at one epoch. */
export type Owned = readonly [partition: number, epoch: number]

export type Heartbeat = {
  readonly member: string
  /** Identifies this start of the process. */
  readonly boot: string
  /** By the sender's clock; meaningful only to the sender. */
  readonly sentAtMs: number
  /** The member has finished its start and may be given partitions. */
  readonly ready: boolean
  readonly draining: boolean
  /** The member can write: its database has not been unavailable for so long that ownership should move. */
  readonly pgOk: boolean
  /** The database of the member answered its last check. Fronts need to know at once; ownership does not depend on it. */
  readonly pgAnswers: boolean
  readonly owned: readonly Owned[]
}

/** `free`: the sender has given up the partitions at these epochs. */
export type RouteNews = {
  readonly member: string
  readonly boot: string
  readonly free: boolean
  readonly parts: readonly Owned[]
}

const version = 1

/** One word of a subject, since it becomes part of one. */
export const isMemberName = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(text)

export const encodeHeartbeat = (heartbeat: Heartbeat): Uint8Array => encodeMessage({ v: version, ...heartbeat })

/** Returns null if the bytes are not a valid heartbeat. */
export function decodeHeartbeat(bytes: Uint8Array): Heartbeat | null {
  const value = decodeMessage(bytes)
  const sender = value === null ? null : readSender(value)
  const owned = readParts(value?.['owned'])
  const sentAtMs = value?.['sentAtMs']
  if (value === null || sender === null || owned === null || typeof sentAtMs !== 'number') return null
  const [ready, draining, pgOk] = [value['ready'] === true, value['draining'] === true, value['pgOk'] === true]
  // Members of an earlier release do not send this field.
  const pgAnswers = value['pgAnswers'] === undefined ? pgOk : value['pgAnswers'] === true
  return { ...sender, sentAtMs, ready, draining, pgOk, pgAnswers, owned }
}

export const encodeRouteNews = (news: RouteNews): Uint8Array => encodeMessage({ v: version, ...news })

/** Returns null if the bytes are not valid route news. */
export function decodeRouteNews(bytes: Uint8Array): RouteNews | null {
  const value = decodeMessage(bytes)
  const sender = value === null ? null : readSender(value)
  const parts = readParts(value?.['parts'])
  return sender === null || parts === null ? null : { ...sender, free: value?.['free'] === true, parts }
}

function readSender(value: Record<string, unknown>): { member: string; boot: string } | null {
  const { member, boot } = value
  return isMemberName(member) && isMemberName(boot) ? { member, boot } : null
}

function readParts(value: unknown): Owned[] | null {
  if (!Array.isArray(value) || value.length > partitionCount) return null
  const parts: Owned[] = []
  for (const part of value as unknown[]) {
    if (!Array.isArray(part)) return null
    const [partition, epoch] = part as unknown[]
    if (!isCount(partition) || partition >= partitionCount || !isCount(epoch)) return null
    parts.push([partition, epoch])
  }
  return parts
}
