// Reads what a response states besides text and tokens: its id, finish reasons, service tier and time to the first token.
import type { Kind } from '../event/event.ts'
import type { Names } from '../event/names.ts'
import type { Attributes, AttributeValue } from '../event/span.ts'
import { isAsked, isMine } from './asked-reads.ts'
import {
  among,
  asText,
  bounded,
  first,
  firstPresent,
  firstText,
  isTrue,
  maxNameChars,
  maxWordChars,
} from './attribute.ts'
import { parseStructure } from './json.ts'
import type { Reading } from './reading.ts'
import { isOf } from './span-reading.ts'
import { ownValue, readText } from './text-steps.ts'

const maxFinishReasons = 32
/** One day: no first token takes longer. */
const maxTtftMs = 86_400_000

export type ModelAnswer = {
  readonly responseId: string | null
  readonly finishReasons: readonly string[]
  readonly serviceTier: string | null
  readonly batch: boolean
  readonly ttftMs: number | null
}

function otherFinishReason(reading: Reading): AttributeValue | undefined {
  const { finishReason } = reading.dialects.reads
  if (!isAsked(reading, finishReason)) return undefined
  for (const { of, read } of finishReason.reads) {
    const reason = isMine(reading, of) ? read(reading) : undefined
    if (reason !== undefined) return reason
  }
  return undefined
}

function readFinishReasons(reading: Reading): readonly string[] {
  const { attributes, flags, dialects } = reading
  let value = firstPresent(attributes, dialects.names.finishReasons)
  if (value === undefined) value = ownValue(reading, dialects.own.finishReasons)
  if (value === undefined) value = otherFinishReason(reading)
  if (value === undefined || value === null) return []
  const listed = typeof value === 'string' ? (parseStructure(value, flags) ?? value) : value
  const list = Array.isArray(listed) ? listed : [listed as AttributeValue]
  const reasons: string[] = []
  for (const item of list.slice(0, maxFinishReasons)) {
    const reason = asText(item as AttributeValue)
    if (reason !== null) reasons.push(bounded(reason, maxWordChars, flags))
  }
  return reasons
}

/** Returns the first of `names` that holds a duration of up to a day, in milliseconds. `factor` converts the unit to milliseconds. */
function firstMs(attributes: Attributes, names: Names, factor: number): number | null {
  for (const key of among(attributes, names)) {
    const text = asText(attributes.get(key))
    const ms = text === null ? Number.NaN : Number(text) * factor
    if (ms >= 0 && ms <= maxTtftMs) return ms
  }
  return null
}

/** Returns the time to the first token, in milliseconds, under a name that is read only on spans of its dialect. */
function ownMs(reading: Reading): number | null {
  for (const { of, names } of reading.dialects.own.ttftMs) {
    const ms = isOf(reading, of) ? firstMs(reading.attributes, names, 1) : null
    if (ms !== null) return ms
  }
  return null
}

function readTtftMs(reading: Reading): number | null {
  const { attributes, span } = reading
  const { names } = reading.dialects
  const told =
    firstMs(attributes, names.ttftSeconds, 1_000) ??
    firstMs(attributes, names.ttftMs, 1) ??
    ownMs(reading) ??
    firstMs(attributes, names.ttftServerSeconds, 1_000)
  if (told !== null) return told
  const began = firstText(attributes, names.completionStart)
  if (began === null) return null
  const ms = Date.parse(began.replaceAll('"', '')) - Number(span.startTimeUnixNano / 1_000n) / 1_000
  return ms >= 0 && ms <= maxTtftMs ? ms : null
}

/** Returns the provider's id of the response; null where the sender wrote a made-up id in its place (`isRunId`). */
function readResponseId(reading: Reading, kind: Kind): string | null {
  const { texts, reads } = reading.dialects
  const text = readText(reading, texts.responseId, kind)
  const id = text === null ? null : bounded(text, maxNameChars, reading.flags)
  if (id === null) return null
  for (const { of, read } of reads.isRunId.reads) {
    if (isMine(reading, of) && read(id)) return null
  }
  return id
}

/** Reads the parts of an answer. Cost: about 25 look-ups. */
export function readAnswer(reading: Reading, kind: Kind): ModelAnswer {
  const { attributes, flags } = reading
  const { names, texts } = reading.dialects
  const tier = readText(reading, texts.serviceTier, kind)
  return {
    responseId: readResponseId(reading, kind),
    finishReasons: readFinishReasons(reading),
    serviceTier: tier === null ? null : bounded(tier, maxWordChars, flags),
    batch: isTrue(first(attributes, names.batch)) || tier === 'batch',
    ttftMs: readTtftMs(reading),
  }
}
