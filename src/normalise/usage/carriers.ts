// Reads token counts inside JSON attributes: usage objects of providers, and forms that dialects derive from them.
import type { Kind } from '../../event/event.ts'
import { isAsked, isMine } from '../asked-reads.ts'
import type { Reading } from '../reading.ts'
import type { ReportedUsage } from './reported-usage.ts'

/** Fills in the counts that flat attributes did not report. Parses only the JSON that is present. */
export function fillFromCarriers(reading: Reading, reported: ReportedUsage, kind: Kind): void {
  const { usage, callUsage } = reading.dialects.reads
  if (isAsked(reading, usage)) {
    for (const { of, read } of usage.reads) if (isMine(reading, of)) read(reading, reported)
  }
  const isCall = kind === 'llm' || kind === 'embedding'
  if (isCall && isAsked(reading, callUsage)) {
    for (const { of, read } of callUsage.reads) if (isMine(reading, of)) read(reading, reported, kind)
  }
}
