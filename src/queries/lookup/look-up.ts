// Finds what a pasted id refers to. The form of the id determines where to search; each search uses an index.
import { isUuid } from '../../base/ids.ts'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { cover, readTraceReach } from '../events/narrow-window.ts'

export const lookupKinds = ['trace', 'span', 'session', 'agent', 'decision', 'finding', 'key'] as const

export type LookedUp = {
  readonly kind: (typeof lookupKinds)[number]
  readonly id: string
  /** Only for a span. */
  readonly traceId?: string
}

type Place = { readonly workspaceId: string; readonly id: string }
type Look = (db: Database, place: Place) => Promise<LookedUp | null>

/** How many of the newest spans are searched for a span id. Reading them takes a few tenths of a second. */
export const spansInLook = 200_000

/** At most four queries. Session names are free text, so sessions are searched last. Throws Outage. */
export async function lookUp(db: Database, place: Place): Promise<Outcome<LookedUp, 'absent'>> {
  const looks = forms.find(({ pattern }) => pattern.test(place.id))
  const found = (await looks?.look(db, { ...place, id: place.id.toLowerCase() })) ?? (await findSession(db, place))
  return found === null ? refuse('absent') : ok(found)
}

const findTrace: Look = async (db, { workspaceId, id }) =>
  (await readTraceReach(db, workspaceId, id)) === null ? null : { kind: 'trace', id }

/** Finds an event by its id in the interface: `<trace_id>.<span_id>`, with or without the start after it. */
const findEvent: Look = async (db, { workspaceId, id }) => {
  const [traceId = '', spanId = '', startUs = null] = id.split('.')
  const reach = await readTraceReach(db, workspaceId, traceId)
  if (reach === null) return null
  const { from, to } = cover(reach)
  const ids = [Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex')]
  const row = await db.row('queries/find-event', [workspaceId, ...ids, from, to, startUs])
  return row === null ? null : { kind: 'span', id: spanId, traceId }
}

const findSpan: Look = async (db, { workspaceId, id }) => {
  const values = [workspaceId, Buffer.from(id, 'hex'), spansInLook]
  const row = await db.row<{ trace_id: string }>('queries/look-up-span', values)
  return row === null ? null : { kind: 'span', id, traceId: row.trace_id }
}

const findOwn: Look = async (db, { workspaceId, id }) => {
  const row = await db.row<Pick<LookedUp, 'kind'>>('queries/look-up-id', [workspaceId, id])
  return row === null ? null : { kind: row.kind, id }
}

const findSession: Look = async (db, { workspaceId, id }) =>
  (await db.row('queries/look-up-session', [workspaceId, id])) === null ? null : { kind: 'session', id }

const forms: readonly { readonly pattern: { test(id: string): boolean }; readonly look: Look }[] = [
  { pattern: /^[0-9a-f]{32}$/i, look: findTrace },
  { pattern: /^[0-9a-f]{16}$/i, look: findSpan },
  { pattern: /^[0-9a-f]{32}\.[0-9a-f]{16}(?:\.\d{1,16})?$/i, look: findEvent },
  { pattern: { test: isUuid }, look: findOwn },
]
