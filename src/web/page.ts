// Cursors: opaque, authenticated, and bound to the list, the workspace and the filters that they were made
// for.
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

/** What a cursor may be used for. Filters that are undefined count as not given. */
export type CursorScope = {
  readonly route: string
  readonly workspaceId: string
  readonly filters: Readonly<Record<string, string | number | boolean | undefined>>
}

export type Opened<State> = {
  readonly state: State
  /** When the first page was read: the same in every cursor of one paging. */
  readonly firstReadMs: number
}

export type Cursors = {
  /** The text of a cursor that carries `state`. `firstReadMs` is that of the cursor before it, or now. */
  seal(scope: CursorScope, state: CursorValue, firstReadMs?: number): string
  /** What a cursor carries; `cursor_invalid` where it was altered, belongs to another scope, or is older than a day. */
  open<State extends CursorValue>(scope: CursorScope, cursor: string): Outcome<Opened<State>, 'cursor_invalid'>
}

/** How long after its first page a list can be paged on. */
export const cursorLifetimeMs = 86_400_000

const macBytes = 32

// Bump it when the state of any cursor changes its form.
const formVersion = 2

// A cursor of ours is a few hundred characters long; one that pins a snapshot with many open transactions is longer.
const maxCursorCharacters = 6_000

/** The query parameter of every list that pages by cursor. */
export const cursorParam = z
  .string()
  .max(maxCursorCharacters)
  .meta({ type: 'string', description: 'The next_cursor of the previous page; send it with the same filters' })

/** The public form of a cursor that cannot be used. */
export const cursorInvalid: ParameterFault = {
  status: 422,
  item: {
    loc: ['query', 'cursor'],
    msg: 'The cursor was altered, has expired, or belongs to another list, window or set of filters',
    type: 'value_error',
  },
}

/** Makes cursors under the first HMAC-SHA-256 key, and reads those of each. Throws on a key of fewer than 32 bytes. */
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
      // One cursor has one text: Node skips over characters and bits that do not belong there.
      if (bytes.byteLength <= macBytes || bytes.toString('base64url') !== cursor) return refuse('cursor_invalid')
      const payload = bytes.subarray(macBytes)
      const mac = bytes.subarray(0, macBytes)
      if (!keys.some((key) => timingSafeEqual(mac, authenticate(key, scope, payload)))) return refuse('cursor_invalid')
      // Only we can have written it, so its form needs no second look.
      const [firstReadMs, state] = JSON.parse(payload.toString()) as [number, State]
      return now() - firstReadMs > cursorLifetimeMs ? refuse('cursor_invalid') : ok({ state, firstReadMs })
    },
  }
}

/** The scope as text: filters in one order, so that the order of the parameters does not matter. */
function describeScope({ route, workspaceId, filters }: CursorScope): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return JSON.stringify([formVersion, route, workspaceId, given.sort(([a], [b]) => (a < b ? -1 : 1))])
}
