// Cursors for paging: opaque, authenticated, and bound to the list, the workspace and the filters for which they were made.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { SealKeys } from '../base/seal.ts'
import type { ParameterFault } from './route.ts'

/** A value that a cursor can carry. */
export type CursorValue =
  | string
  | number
  | boolean
  | null
  | readonly CursorValue[]
  | { readonly [name: string]: CursorValue }

/** What a cursor may be used for. Filters that are undefined count as absent. */
export type CursorScope = {
  readonly route: string
  readonly workspaceId: string
  readonly filters: Readonly<Record<string, string | number | boolean | undefined>>
}

export type Opened<State> = {
  readonly state: State
  /** When the first page was read. All cursors of one paging carry the same value. */
  readonly firstReadMs: number
}

export type Cursors = {
  /** Returns the text of a cursor that carries `state`. `firstReadMs` is that of the previous cursor; default: now. */
  seal(scope: CursorScope, state: CursorValue, firstReadMs?: number): string
  /** Returns what a cursor carries. Refuses with `cursor_invalid` if it was altered, belongs to another scope, or is older than a day. */
  open<State extends CursorValue>(scope: CursorScope, cursor: string): Outcome<Opened<State>, 'cursor_invalid'>
}

/** How long after its first page a list can be paged. */
export const cursorLifetimeMs = 86_400_000

const macBytes = 32

// Increment it when the state of any cursor changes its form.
const formVersion = 2

// Our cursors have a few hundred characters. A cursor that pins a snapshot with many open transactions has more.
const maxCursorCharacters = 6_000

/** The query parameter of every list that pages by cursor. */
export const cursorParam = z
  .string()
  .max(maxCursorCharacters)
  .meta({ type: 'string', description: 'The next_cursor of the previous page; send it with the same filters' })

/** The refusal of a cursor that cannot be used. */
export const cursorInvalid: ParameterFault = {
  status: 422,
  item: {
    loc: ['query', 'cursor'],
    msg: 'The cursor was altered, has expired, or belongs to another list, window or set of filters',
    type: 'value_error',
  },
}

/** Signs cursors with the first HMAC-SHA-256 key, and accepts those signed with any of the keys. Throws on a key of fewer than 32 bytes. */
export function openCursors(keys: SealKeys, now: () => number = Date.now): Cursors {
  if (keys.some((key) => key.byteLength < 32)) throw new Error('the key that signs cursors must have at least 32 bytes')

  const authenticate = (key: Uint8Array, scope: CursorScope, payload: Buffer): Buffer =>
    createHmac('sha256', key).update(describeScope(scope)).update('\0').update(payload).digest()

  return {
    seal: (scope, state, firstReadMs = now()) => {
      const payload = Buffer.from(JSON.stringify([firstReadMs, state]))
      return Buffer.concat([authenticate(keys[0], scope, payload), payload]).toString('base64url')
    },
    open: <State extends CursorValue>(scope: CursorScope, cursor: string): Outcome<Opened<State>, 'cursor_invalid'> => {
      const bytes = Buffer.from(cursor, 'base64url')
      // Each cursor has exactly one text. Node's decoder ignores invalid characters and surplus bits.
      if (bytes.byteLength <= macBytes || bytes.toString('base64url') !== cursor) return refuse('cursor_invalid')
      const payload = bytes.subarray(macBytes)
      const mac = bytes.subarray(0, macBytes)
      if (!keys.some((key) => timingSafeEqual(mac, authenticate(key, scope, payload)))) return refuse('cursor_invalid')
      // Only this service can have signed the payload, so its form needs no validation.
      const [firstReadMs, state] = JSON.parse(payload.toString()) as [number, State]
      return now() - firstReadMs > cursorLifetimeMs ? refuse('cursor_invalid') : ok({ state, firstReadMs })
    },
  }
}

/** Returns the scope as text. Filters are sorted, so that the order of the parameters does not matter. */
function describeScope({ route, workspaceId, filters }: CursorScope): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return JSON.stringify([formVersion, route, workspaceId, given.sort(([a], [b]) => (a < b ? -1 : 1))])
}
