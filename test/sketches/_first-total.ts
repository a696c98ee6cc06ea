// Totals as the first version wrote them: without a head, and with the number of traces only in the set itself.
import type { Bucket } from '../../src/sketches/bucket.ts'
import { openWriter, writeSection, writeText, writeVarint, written } from '../../src/sketches/byte-writer.ts'
import { areZero } from '../../src/sketches/counters.ts'
import { writeDistinct } from '../../src/sketches/distinct-codec.ts'
import { writeDurations } from '../../src/sketches/durations-codec.ts'
import { byText, writeCounters } from '../../src/sketches/total-codec.ts'

export function encodeTotalAsBefore({ total }: Bucket): Buffer {
  const [writer, scratch] = [openWriter(), openWriter()]
  writeVarint(writer, 1)
  writeCounters(writer, total.counters)
  writeDurations(writer, total.durations)
  const models = [...total.models].filter(([, counters]) => !areZero(counters)).sort(([a], [b]) => byText(a, b))
  writeSection(writer, scratch, (into) => {
    for (const [model, counters] of models) {
      writeVarint(into, model === null ? 0 : 1)
      if (model !== null) writeText(into, model)
      writeCounters(into, counters)
    }
  })
  writeSection(writer, scratch, (into) => writeDistinct(into, total.traces))
  writeSection(writer, scratch, (into) => writeDistinct(into, total.sessions))
  return Buffer.from(written(writer))
}
