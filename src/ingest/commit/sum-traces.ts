// Sums the rows of a group by trace. Pure. All numbers are additive, and settling replaces them later.

import { columnBits, type EventColumns } from '../../encode/event-columns.ts'
import { keyOffsets } from '../../encode/row.ts'
import { kinds } from '../../event/event.ts'
import { eachKept, type Work } from './batch-slice.ts'

/** A row, as the source of a value. */
type Row = { readonly work: Work; readonly row: number }

export type TraceSum = {
  /** 16 bytes each. */
  readonly workspaceId: Uint8Array
  readonly traceId: Uint8Array
  startUs: number
  endUs: number
  hasRoot: boolean
  /** The span that names the trace: the root, or the earliest span while there is no root. */
  named: Row
  /** The earliest span with a session, and the earliest one with a user. */
  session: Row | null
  user: Row | null
  spans: number
  llmCalls: number
  toolCalls: number
  servedCalls: number
  holdoutCalls: number
  errors: number
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  /** NaN while no counted call has a price. */
  costUsd: number
  unpricedCalls: number
  models: Texts
  tools: Texts
}

/** A set of distinct texts, which usually has none or one. */
export type Texts = string | Set<string> | null

const llm = kinds.indexOf('llm')
const tool = kinds.indexOf('tool')
const idBytes = 16

/** Returns one sum per trace, in no particular order. About 0.1 µs a row. */
export function sumTraces(works: readonly Work[]): TraceSum[] {
  const sums = new Map<string, TraceSum>()
  for (const work of works) {
    const { columns } = work.batch
    // Indexed by the first row of the trace in its request, so that a row needs no lookup by trace id.
    const known: (TraceSum | undefined)[] = Array.from({ length: work.batch.offsets.length })
    eachKept(work, (row) => {
      const first = columns.trace[row] as number
      let sum = known[first]
      if (sum === undefined) {
        sum = findOrOpen(sums, work, row)
        known[first] = sum
      }
      addRow(sum, work, row, columns)
    })
  }
  return [...sums.values()]
}

function findOrOpen(sums: Map<string, TraceSum>, work: Work, row: number): TraceSum {
  const workspaceId = idAt(work, row, keyOffsets.workspaceId)
  const traceId = idAt(work, row, keyOffsets.traceId)
  const key = workspaceId.toString('latin1') + traceId.toString('latin1')
  let sum = sums.get(key)
  if (sum === undefined) {
    sum = openSum(work, row, workspaceId, traceId)
    sums.set(key, sum)
  }
  return sum
}

function idAt({ batch: { rows, offsets } }: Work, row: number, offset: number): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset + (offsets[row] as number) + offset, idBytes)
}

function openSum(work: Work, row: number, workspaceId: Uint8Array, traceId: Uint8Array): TraceSum {
  return {
    workspaceId,
    traceId,
    startUs: Number.POSITIVE_INFINITY,
    endUs: Number.NEGATIVE_INFINITY,
    hasRoot: false,
    named: { work, row },
    session: null,
    user: null,
    spans: 0,
    llmCalls: 0,
    toolCalls: 0,
    servedCalls: 0,
    holdoutCalls: 0,
    errors: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    costUsd: Number.NaN,
    unpricedCalls: 0,
    models: null,
    tools: null,
  }
}

function addRow(sum: TraceSum, work: Work, row: number, columns: EventColumns): void {
  const start = columns.startUs[row] as number
  const duration = columns.durationUs[row] as number
  const end = Number.isNaN(duration) ? start : start + duration
  const bits = columns.bits[row] as number
  const isRoot = (bits & columnBits.root) !== 0
  sum.spans++
  if (start < sum.startUs) sum.startUs = start
  if (end > sum.endUs) sum.endUs = end
  if (isRoot === sum.hasRoot ? isEarlier(work, row, sum.named) : isRoot) sum.named = { work, row }
  if (isRoot) sum.hasRoot = true
  if (columns.session[row] !== 0 && (sum.session === null || isEarlier(work, row, sum.session)))
    sum.session = { work, row }
  if (columns.user[row] !== 0 && (sum.user === null || isEarlier(work, row, sum.user))) sum.user = { work, row }
  if ((bits & columnBits.error) !== 0) sum.errors++
  if ((bits & columnBits.counted) !== 0) addCounted(sum, columns, row, bits)
}

function addCounted(sum: TraceSum, columns: EventColumns, row: number, bits: number): void {
  const kind = columns.kind[row]
  if (kind === llm) sum.llmCalls++
  if (kind === tool) {
    sum.toolCalls++
    if ((bits & columnBits.served) !== 0) sum.servedCalls++
    if ((bits & columnBits.holdout) !== 0) sum.holdoutCalls++
  }
  if ((bits & columnBits.unpriced) !== 0) sum.unpricedCalls++
  sum.inputTokens += columns.inputTokens[row] as number
  sum.outputTokens += columns.outputTokens[row] as number
  sum.cachedTokens += columns.cachedTokens[row] as number
  sum.cacheWriteTokens += columns.cacheWriteTokens[row] as number
  const cost = columns.costUsd[row] as number
  if (!Number.isNaN(cost)) sum.costUsd = Number.isNaN(sum.costUsd) ? cost : sum.costUsd + cost
  sum.models = addText(sum.models, columns, columns.model[row] as number)
  sum.tools = addText(sum.tools, columns, columns.tool[row] as number)
}

/** Returns the texts with the one at the given index added; index 0 means no text. */
export function addText(texts: Texts, columns: EventColumns, place: number): Texts {
  if (place === 0) return texts
  const text = columns.texts[place] as string
  if (texts === null || texts === text) return text
  return typeof texts === 'string' ? new Set([texts, text]) : texts.add(text)
}

export const listTexts = (texts: Texts): Iterable<string> => (typeof texts === 'string' ? [texts] : (texts ?? []))

/** Orders by start, then by span id. */
function isEarlier(work: Work, row: number, than: Row): boolean {
  const difference = (work.batch.columns.startUs[row] as number) - (than.work.batch.columns.startUs[than.row] as number)
  return difference === 0 ? Buffer.compare(spanIdOf(work, row), spanIdOf(than.work, than.row)) < 0 : difference < 0
}

function spanIdOf({ batch: { rows, offsets } }: Work, row: number): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset + (offsets[row] as number) + keyOffsets.spanId, 8)
}
