// Floor 1. What counting needs of the rows of one request, column by column: sums are made from these, not from the rows' bytes.
import { hash32 } from '../../measure/hash.ts'
import { kinds } from '../event.ts'
import type { EventRow } from './row.ts'

/** One entry a row in every array. Texts are places in `texts`, whose place 0 means none. */
export type EventColumns = {
  readonly texts: readonly string[]
  /** Unix microseconds. */
  readonly startUs: Float64Array<ArrayBuffer>
  /** Microseconds; NaN where unknown. */
  readonly durationUs: Float64Array<ArrayBuffer>
  /** Tokens are 0 where the span tells of none. */
  readonly inputTokens: Float64Array<ArrayBuffer>
  readonly outputTokens: Float64Array<ArrayBuffer>
  readonly cachedTokens: Float64Array<ArrayBuffer>
  readonly cacheWriteTokens: Float64Array<ArrayBuffer>
  readonly reasoningTokens: Float64Array<ArrayBuffer>
  /** NaN where no price is known. */
  readonly costUsd: Float64Array<ArrayBuffer>
  readonly cacheSavingsUsd: Float64Array<ArrayBuffer>
  /** The number of the first row of the same trace. */
  readonly trace: Uint32Array<ArrayBuffer>
  /** hash32 of the trace id. */
  readonly traceHash: Uint32Array<ArrayBuffer>
  /** The agent's name; never 0. */
  readonly agent: Uint32Array<ArrayBuffer>
  readonly model: Uint32Array<ArrayBuffer>
  readonly tool: Uint32Array<ArrayBuffer>
  readonly session: Uint32Array<ArrayBuffer>
  readonly user: Uint32Array<ArrayBuffer>
  readonly name: Uint32Array<ArrayBuffer>
  readonly inputHash: Uint32Array<ArrayBuffer>
  /** Place in `kinds`. */
  readonly kind: Uint8Array<ArrayBuffer>
  /** Some of `columnBits`, added up. */
  readonly bits: Uint8Array<ArrayBuffer>
}

export const columnBits = { counted: 1, error: 2, served: 4, holdout: 8, root: 16, unpriced: 32 } as const

export type ColumnWriter = {
  /** Adds the next row; `idBytes` holds its trace id at `idOffset`. */
  add(row: EventRow, idBytes: Uint8Array, idOffset: number): void
  finish(): EventColumns
}

const kindPlaces: ReadonlyMap<string, number> = new Map(kinds.map((kind, place) => [kind, place]))

/** For at most `maxRows` rows. About 0.3 µs a row. */
export function openColumnWriter(maxRows: number): ColumnWriter {
  const floats = (): Float64Array<ArrayBuffer> => new Float64Array(maxRows)
  const places = (): Uint32Array<ArrayBuffer> => new Uint32Array(maxRows)
  const texts: string[] = ['']
  const columns: EventColumns = {
    texts,
    startUs: floats(),
    durationUs: floats(),
    inputTokens: floats(),
    outputTokens: floats(),
    cachedTokens: floats(),
    cacheWriteTokens: floats(),
    reasoningTokens: floats(),
    costUsd: floats(),
    cacheSavingsUsd: floats(),
    trace: places(),
    traceHash: places(),
    agent: places(),
    model: places(),
    tool: places(),
    session: places(),
    user: places(),
    name: places(),
    inputHash: places(),
    kind: new Uint8Array(maxRows),
    bits: new Uint8Array(maxRows),
  }
  const known = new Map<string, number>()
  const firstRows = new Map<string, number>()
  let rows = 0

  function placeOf(text: string | null): number {
    if (text === null) return 0
    const before = known.get(text)
    if (before !== undefined) return before
    const place = texts.push(text) - 1
    known.set(text, place)
    return place
  }

  function placeTrace(traceId: string, idBytes: Uint8Array, idOffset: number): void {
    const first = firstRows.get(traceId)
    if (first === undefined) firstRows.set(traceId, rows)
    columns.trace[rows] = first ?? rows
    columns.traceHash[rows] = first === undefined ? hash32(idBytes, idOffset, 16) : (columns.traceHash[first] as number)
  }

  return {
    add({ event, usage, resolved, priced, startUs }, idBytes, idOffset) {
      columns.startUs[rows] = startUs
      columns.durationUs[rows] = event.durationUs ?? Number.NaN
      columns.inputTokens[rows] = usage.inputTokens ?? 0
      columns.outputTokens[rows] = usage.outputTokens ?? 0
      columns.cachedTokens[rows] = usage.cachedTokens ?? 0
      columns.cacheWriteTokens[rows] = usage.cacheWriteTokens ?? 0
      columns.reasoningTokens[rows] = usage.reasoningTokens ?? 0
      columns.costUsd[rows] = priced.costUsd ?? Number.NaN
      columns.cacheSavingsUsd[rows] = priced.cacheSavingsUsd ?? Number.NaN
      placeTrace(event.traceId, idBytes, idOffset)
      columns.agent[rows] = placeOf(resolved.agentName)
      columns.model[rows] = placeOf(event.model)
      columns.tool[rows] = placeOf(event.toolName)
      columns.session[rows] = placeOf(resolved.sessionId)
      columns.user[rows] = placeOf(resolved.userId)
      columns.name[rows] = placeOf(event.name)
      columns.inputHash[rows] = placeOf(event.inputHash)
      columns.kind[rows] = kindPlaces.get(event.kind) ?? 0
      columns.bits[rows] =
        (resolved.counted ? columnBits.counted : 0) |
        (event.status === 'error' ? columnBits.error : 0) |
        (event.served ? columnBits.served : 0) |
        (event.holdout ? columnBits.holdout : 0) |
        (event.parentSpanId === null ? columnBits.root : 0) |
        (event.flags.has('unpriced') ? columnBits.unpriced : 0)
      rows++
    },
    finish: () => trimColumns(columns, rows),
  }
}

/** The same columns, of `rows` rows, over buffers of their own. */
function trimColumns(columns: EventColumns, rows: number): EventColumns {
  if (columns.startUs.length === rows) return columns
  const trimmed = Object.entries(columns).map(([name, column]) => [
    name,
    name === 'texts' ? column : (column as Float64Array<ArrayBuffer>).slice(0, rows),
  ])
  return Object.fromEntries(trimmed) as EventColumns
}

/** The buffers behind the columns, to be moved to another thread. */
export function listColumnBuffers(columns: EventColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer] : []))
}
