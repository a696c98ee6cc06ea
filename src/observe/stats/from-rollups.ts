// Floor 3. Adds up a window from its rollups.
import { mergeTotals } from '../../measure/bucket.ts'
import { openReader } from '../../measure/byte-reader.ts'
import { mergeSums } from '../../measure/cell.ts'
import { readCells } from '../../measure/cells-codec.ts'
import { counterAt, mergeCounters } from '../../measure/counters.ts'
import { mergeDistinct } from '../../measure/distinct.ts'
import { mergeDurations } from '../../measure/durations.ts'
import { fillHead, makeHead, mergeTotal, mergeTotalSums, readEvents } from '../../measure/total-codec.ts'
import { type Part, readRollups } from '../../rollups/read.ts'
import type { Database } from '../../store/database.ts'
import type { BucketPass, CellPass, Source } from './source.ts'
import { makeTally, type WholeTally } from './tally.ts'

/** Milliseconds for a month; what a pass reads comes from one snapshot. */
export const openRollups = (db: Database, workspaceId: string): Source => ({
  makeTally,
  read: async ({ window, cutsMs, into }) => {
    let events = 0
    const head = makeHead()
    const options = { cells: 'parts' in into, alone: !('whole' in into), cutsMs }
    await readRollups(db, workspaceId, window, options, (part) => {
      if (!('bucket' in part) && part.isAlone && 'onAlone' in into) {
        fillHead(head, part.total)
        events += head.counters[counterAt.events] ?? 0
        into.onAlone(part.startMs, head)
        return
      }
      events += eventsOf(part)
      if ('parts' in into) addCells(part, into)
      else if ('whole' in into) addWhole(part, into.whole)
      else addTotal(part, into)
    })
    return events
  },
})

const eventsOf = (part: Part): number =>
  'bucket' in part ? (part.bucket.total.counters[counterAt.events] ?? 0) : readEvents(part.total)

function addWhole(part: Part, whole: WholeTally): void {
  if ('bucket' in part) mergeTotals(whole, part.bucket.total)
  else mergeTotal(whole, part.total)
}

function addTotal(part: Part, { tallyOf }: BucketPass): void {
  const tally = tallyOf(part.startMs)
  if (!('bucket' in part)) {
    mergeTotalSums(tally, part.total)
    return
  }
  const { counters, durations, traces } = part.bucket.total
  mergeCounters(tally.counters, counters)
  mergeDurations(tally.durations, durations)
  mergeDistinct(tally.traces, traces)
}

function addCells(part: Part, { parts, cellTallyOf, sessionsFor, onDone }: CellPass): void {
  if (!('bucket' in part)) {
    if (part.cells === null) throw new Error('a rollup without the cells that were asked for')
    readCells(openReader(part.cells), parts, (key) => cellTallyOf(part.startMs, key), sessionsFor)
    if (part.isAlone) onDone?.(part.startMs)
    return
  }
  for (const cell of part.bucket.cells.list) {
    const tally = cellTallyOf(part.startMs, cell)
    if (tally !== null) mergeSums(tally, cell)
  }
  for (const [agentId, sessions] of part.bucket.cells.sessions) {
    const into = sessionsFor(agentId)
    if (into !== null) mergeDistinct(into, sessions)
  }
}
