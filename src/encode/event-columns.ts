// The values that counting needs of the rows of one request, by column: sums are computed from them, not from the bytes of the rows.

import { type Event, kinds } from '../event/event.ts'
import { hashInput } from '../sketches/fact.ts'
import { hash48 } from '../sketches/hash.ts'
import type { ScopeIdentity } from '../sketches/scope-sums.ts'
import type { EventRow } from './row.ts'

/** Each typed array has one entry for each row. Texts are indexes in `texts`, where index 0 means none. */
export type EventColumns = {
  readonly texts: readonly string[]
  /** The distinct combinations of instrumentation scope and dialect. */
  readonly scopes: readonly ScopeIdentity[]
  /** Unix microseconds. */
  readonly startUs: Float64Array<ArrayBuffer>
  /** Microseconds; NaN where unknown. */
  readonly durationUs: Float64Array<ArrayBuffer>
  /** Tokens are 0 where the span reports none. */
  readonly inputTokens: Float64Array<ArrayBuffer>
  readonly outputTokens: Float64Array<ArrayBuffer>
  readonly cachedTokens: Float64Array<ArrayBuffer>
  readonly cacheWriteTokens: Float64Array<ArrayBuffer>
  readonly reasoningTokens: Float64Array<ArrayBuffer>
  /** NaN where no price is known. */
  readonly costUsd: Float64Array<ArrayBuffer>
  readonly cacheSavingsUsd: Float64Array<ArrayBuffer>
  /** The difference between the sender's cost and the computed one; 0 if they agree or either is unknown. */
  readonly disagreementUsd: Float64Array<ArrayBuffer>
  /** hash48 of the trace id. */
  readonly traceHash: Float64Array<ArrayBuffer>
  /** `hashInput` of tool and input hash if the bit `input` is set. The text itself is needed only for this hash. */
  readonly inputHash: Float64Array<ArrayBuffer>
  /** The index of the first row of the same trace. */
  readonly trace: Uint32Array<ArrayBuffer>
  /** The agent's name; never 0. */
  readonly agent: Uint32Array<ArrayBuffer>
  readonly model: Uint32Array<ArrayBuffer>
  readonly tool: Uint32Array<ArrayBuffer>
  readonly session: Uint32Array<ArrayBuffer>
  readonly user: Uint32Array<ArrayBuffer>
  readonly name: Uint32Array<ArrayBuffer>
  /** Index in `scopes`. */
  readonly scope: Uint32Array<ArrayBuffer>
  /** The sum of the `columnBits` that apply. */
  readonly bits: Uint16Array<ArrayBuffer>
  /** Index in `kinds`. */
  readonly kind: Uint8Array<ArrayBuffer>
}

/** `agentProvisional`: see `Resolved`. */
export const columnBits = {
  counted: 1,
  error: 2,
  served: 4,
  holdout: 8,
  root: 16,
  unpriced: 32,
  input: 64,
  toldTwice: 128,
  agentUnnamed: 256,
  agentProvisional: 512,
} as const

/** The columns of one request while they are filled. No closures: functions created for every request are also compiled for every request. */
export type OpenColumns = {
  readonly columns: EventColumns
  readonly texts: string[]
  readonly places: Map<string, number>
  readonly scopes: ScopeIdentity[]
  readonly scopePlaces: Map<string, number>
  /** The first row of each trace. */
  readonly firstRows: Map<string, number>
  /** The index of the scope of the previous row. */
  scope: number
  rows: number
}

const kindPlaces: ReadonlyMap<string, number> = new Map(kinds.map((kind, place) => [kind, place]))

const floatColumns = 12
const placeColumns = 8
const bitColumns = 1
const byteColumns = 1
const bytesPerRow = floatColumns * 8 + placeColumns * 4 + bitColumns * 2 + byteColumns

/** Returns columns of `rows` rows over one buffer. It is transferred as a whole, since each buffer costs a transfer. */
function makeColumns(rows: number, texts: readonly string[], scopes: readonly ScopeIdentity[]): EventColumns {
  const buffer = new ArrayBuffer(rows * bytesPerRow)
  let at = 0
  const take = (bytes: number): number => {
    at += bytes
    return at - bytes
  }
  const floats = (): Float64Array<ArrayBuffer> => new Float64Array(buffer, take(rows * 8), rows)
  const places = (): Uint32Array<ArrayBuffer> => new Uint32Array(buffer, take(rows * 4), rows)
  const bits = (): Uint16Array<ArrayBuffer> => new Uint16Array(buffer, take(rows * 2), rows)
  const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(buffer, take(rows), rows)
  return {
    texts,
    scopes,
    startUs: floats(),
    durationUs: floats(),
    inputTokens: floats(),
    outputTokens: floats(),
    cachedTokens: floats(),
    cacheWriteTokens: floats(),
    reasoningTokens: floats(),
    costUsd: floats(),
    cacheSavingsUsd: floats(),
    disagreementUsd: floats(),
    traceHash: floats(),
    inputHash: floats(),
    trace: places(),
    agent: places(),
    model: places(),
    tool: places(),
    session: places(),
    user: places(),
    name: places(),
    scope: places(),
    bits: bits(),
    kind: bytes(),
  }
}

/** Opens columns for at most `maxRows` rows. */
export function openColumns(maxRows: number): OpenColumns {
  const texts = ['']
  const scopes: ScopeIdentity[] = []
  return {
    columns: makeColumns(maxRows, texts, scopes),
    texts,
    places: new Map(),
    scopes,
    scopePlaces: new Map(),
    firstRows: new Map(),
    scope: 0,
    rows: 0,
  }
}

function placeOf({ texts, places }: OpenColumns, text: string | null): number {
  if (text === null) return 0
  const before = places.get(text)
  if (before !== undefined) return before
  const place = texts.push(text) - 1
  places.set(text, place)
  return place
}

function placeTrace(open: OpenColumns, traceId: string, idBytes: Uint8Array, idOffset: number): void {
  const { columns, firstRows, rows } = open
  const first = firstRows.get(traceId)
  if (first === undefined) firstRows.set(traceId, rows)
  columns.trace[rows] = first ?? rows
  columns.traceHash[rows] = first === undefined ? hash48(idBytes, idOffset, 16) : (columns.traceHash[first] as number)
}

/** Returns the index of the scope. The last one is tried first: spans of one scope mostly follow each other. */
function placeOfScope(open: OpenColumns, { scopeName, scopeVersion, dialect }: Event): number {
  const { scopes, scopePlaces } = open
  const last = scopes[open.scope]
  if (last?.name === scopeName && last.version === scopeVersion && last.dialect === dialect) return open.scope
  const key = `${scopeName ?? ''}\0${scopeVersion ?? ''}\0${dialect ?? ''}`
  const known = scopePlaces.get(key)
  const place = known ?? scopes.push({ name: scopeName, version: scopeVersion, dialect }) - 1
  if (known === undefined) scopePlaces.set(key, place)
  open.scope = place
  return place
}

/** Adds the next row. `idBytes` contains its trace id at `idOffset`. About 0.3 µs. */
export function addToColumns(open: OpenColumns, row: EventRow, idBytes: Uint8Array, idOffset: number): void {
  const { columns, rows } = open
  const { event, usage, resolved, priced } = row
  columns.startUs[rows] = row.startUs
  columns.durationUs[rows] = event.durationUs ?? Number.NaN
  columns.inputTokens[rows] = usage.inputTokens ?? 0
  columns.outputTokens[rows] = usage.outputTokens ?? 0
  columns.cachedTokens[rows] = usage.cachedTokens ?? 0
  columns.cacheWriteTokens[rows] = usage.cacheWriteTokens ?? 0
  columns.reasoningTokens[rows] = usage.reasoningTokens ?? 0
  columns.costUsd[rows] = priced.costUsd ?? Number.NaN
  columns.cacheSavingsUsd[rows] = priced.cacheSavingsUsd ?? Number.NaN
  columns.disagreementUsd[rows] = event.flags.has('cost_disagrees')
    ? Math.abs((event.providedCostUsd ?? 0) - (priced.costUsd ?? 0))
    : 0
  placeTrace(open, event.traceId, idBytes, idOffset)
  columns.agent[rows] = placeOf(open, resolved.agentName)
  columns.model[rows] = placeOf(open, event.model)
  columns.tool[rows] = placeOf(open, event.toolName)
  columns.session[rows] = placeOf(open, resolved.sessionId)
  columns.user[rows] = placeOf(open, resolved.userId)
  columns.name[rows] = placeOf(open, event.name)
  columns.inputHash[rows] = event.inputHash === null ? 0 : hashInput(event.toolName, event.inputHash)
  columns.scope[rows] = placeOfScope(open, event)
  columns.kind[rows] = kindPlaces.get(event.kind) ?? 0
  columns.bits[rows] =
    (resolved.counted ? columnBits.counted : 0) |
    (event.status === 'error' && !resolved.errorCarried ? columnBits.error : 0) |
    (event.served ? columnBits.served : 0) |
    (event.holdout ? columnBits.holdout : 0) |
    (event.parentSpanId === null ? columnBits.root : 0) |
    (event.flags.has('unpriced') ? columnBits.unpriced : 0) |
    (event.inputHash === null ? 0 : columnBits.input) |
    (resolved.toldTwice ? columnBits.toldTwice : 0) |
    (event.hasMainAgent || resolved.hasAgent ? 0 : columnBits.agentUnnamed) |
    (resolved.agentProvisional ? columnBits.agentProvisional : 0)
  open.rows++
}

/** Returns the columns of the rows that were added, over a buffer of exactly their size. */
export function finishColumns({ columns, texts, scopes, rows }: OpenColumns): EventColumns {
  if (columns.startUs.length === rows) return columns
  const trimmed = makeColumns(rows, texts, scopes)
  for (const [name, column] of Object.entries(trimmed)) {
    if (ArrayBuffer.isView(column)) {
      const from = columns[name as keyof EventColumns] as Float64Array
      ;(column as Float64Array).set(from.subarray(0, rows))
    }
  }
  return trimmed
}

/** Returns the buffer behind the columns, for its transfer to another thread. */
export const columnBuffer = ({ startUs }: EventColumns): ArrayBuffer => startUs.buffer
