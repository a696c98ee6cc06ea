// Sums a window exactly, from its events.
import { makeFact } from '../../measure/fact.ts'
import { eachFactOf, type FactRow } from '../../rollups/read-facts.ts'
import type { Source } from './source.ts'
import { addFactToTally, addFactToWhole, makeTally } from './tally.ts'

/** Costs about 1 µs for each event and pass. */
export const openFacts = (rows: readonly FactRow[]): Source => ({
  makeTally: () => makeTally('facts'),
  read: ({ window, into }) => {
    const fact = makeFact()
    const [fromMs, toMs] = [window.from.getTime(), window.to.getTime()]
    let events = 0
    for (const row of rows) {
      const startMs = row.start_us / 1_000
      if (startMs < fromMs || startMs >= toMs) continue
      events++
      eachFactOf(fact, row, (one) => {
        if ('parts' in into) {
          const tally = into.cellTallyOf(startMs, one)
          if (tally !== null) addFactToTally(tally, one)
        } else if ('whole' in into) addFactToWhole(into.whole, one)
        else addFactToTally(into.tallyOf(startMs), one)
      })
    }
    return Promise.resolve(events)
  },
})
