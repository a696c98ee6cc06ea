// Sums a window from its rollups.

import type { DigestConsumer, Digests } from '../../../rollups/digests.ts'
import { readRollups } from '../../../rollups/read.ts'
import { mergeTotals, type Total } from '../../../sketches/bucket.ts'
import { counterAt, mergeCounters } from '../../../sketches/counters.ts'
import { mergeDistinct } from '../../../sketches/distinct.ts'
import { mergeDurations } from '../../../sketches/durations.ts'
import { makeAggregate } from '../aggregate.ts'
import { addCells } from './add-cells.ts'
import { counting, eventsOfPart } from './count-events.ts'
import { readHeldBuckets } from './held-buckets.ts'
import { eventsOf } from './row-points.ts'
import type { CellPass, Pass, StatsSource, StatsStore } from './source.ts'
import { addUpRun, listRuns, type PlacedTotal, type RowTotal, totalDigest } from './total-digest.ts'

/** Takes milliseconds for a month. A pass uses one snapshot, unless it holds buckets: those that it reads again have their own. */
export const openRollupSource = ({ db, rows }: StatsStore, workspaceId: string): StatsSource => ({
  makeAggregate: makeAggregate,
  read: async ({ window, cutsMs, into }) => {
    if ('held' in into) return await readHeldBuckets({ db, rows }, workspaceId, { window, cutsMs, into })
    let events = 0
    const totals: PlacedTotal[] = []
    const each: DigestConsumer<RowTotal> = {
      digest: totalDigest,
      take: (startMs, { identity, total }, tier) => totals.push({ identity, total, startMs, tier }),
    }
    const add = 'parts' in into ? null : makeAdder(into)
    const digests: Digests = {
      memory: rows,
      ...(add === null ? {} : { each }),
      ...('each' in into ? { each: counting(into.each, ({ events: more }) => (events += more)) } : {}),
      ...('alone' in into ? { alone: counting(into.alone, (points) => (events += eventsOf(points))) } : {}),
    }
    await readRollups(db, workspaceId, window, { cells: 'parts' in into, digests, cutsMs }, (part) => {
      events += eventsOfPart(part)
      if ('parts' in into) addCells(part, into)
      else if ('bucket' in part) add?.(part.startMs, part.bucket.total)
      else throw new Error('a rollup was read but not used')
    })
    if (add === null) return events
    const intoOf = 'tallyOf' in into ? into.tallyOf : () => null
    for (const run of listRuns(totals, intoOf)) {
      for (const total of addUpRun(rows, workspaceId, run)) {
        events += total.counters[counterAt.events] ?? 0
        add(run.rows[0]?.startMs ?? 0, total)
      }
    }
    return events
  },
})

type WithoutCells = Exclude<Pass['into'], CellPass>

function makeAdder(into: WithoutCells): (startMs: number, total: Total) => void {
  if ('whole' in into) return (_startMs, total) => mergeTotals(into.whole, total)
  return (startMs, { counters, durations, traces }) => {
    const aggregate = into.tallyOf(startMs)
    mergeCounters(aggregate.counters, counters)
    mergeDurations(aggregate.durations, durations)
    mergeDistinct(aggregate.traces, traces)
  }
}
