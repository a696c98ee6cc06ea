// Floor 1. Token counts inside JSON attributes: usage objects of providers and what dialects make of them.
import type { Kind } from '../../event/event.ts'
import type { Reading } from '../reading.ts'
import type { ToldUsage } from './told-usage.ts'

/** Fills what the flat attributes left open. Parses only the JSON that is there. */
export function fillFromCarriers(reading: Reading, told: ToldUsage, kind: Kind): void {
  const { usage, callUsage } = reading.dialects.reads
  for (const fill of usage) fill(reading, told)
  if (kind !== 'llm' && kind !== 'embedding') return
  for (const fill of callUsage) fill(reading, told, kind)
}
