// Formats differences, always with their sign and with a word for its meaning.
import { formatDuration } from './duration.ts'
import { missing, withSign } from './numbers.ts'
import { formatUsd } from './usd.ts'

export const formatSignedUsd = (usd: number | null): string =>
  usd === null ? missing : withSign(usd, formatUsd(Math.abs(usd)))

export const formatSignedDuration = (ms: number | null): string =>
  ms === null ? missing : withSign(ms, formatDuration(Math.abs(ms)))

export type Effect = {
  /** Sign, amount and word in one text, for sentences and cells. */
  readonly text: string
  readonly amount: string
  readonly word: string
  readonly tone: 'good' | 'bad' | 'even'
}

const unknown: Effect = { text: missing, amount: missing, word: '', tone: 'even' }

/** A change of cost: `−$0.0031 per call, saves`. Less is good. */
export function describeCostDelta(usd: number | null, per = ' per call'): Effect {
  if (usd === null) return unknown
  return judge(usd, `${formatSignedUsd(usd)}${per}`, ['saves', 'costs'])
}

/** A change of duration: `−420 ms per call, faster`. Less is good. */
export function describeLatencyDelta(ms: number | null, per = ' per call'): Effect {
  if (ms === null) return unknown
  return judge(ms, `${formatSignedDuration(ms)}${per}`, ['faster', 'slower'])
}

/** Money saved, net of all costs: `+$12.34, saved`. More is good. */
export function describeSaving(usd: number | null): Effect {
  if (usd === null) return unknown
  return judge(-usd, formatSignedUsd(usd), ['saved', 'lost'])
}

function judge(delta: number, amount: string, [less, more]: readonly [string, string]): Effect {
  const word = delta === 0 ? 'no change' : delta < 0 ? less : more
  return { text: `${amount}, ${word}`, amount, word, tone: delta === 0 ? 'even' : delta < 0 ? 'good' : 'bad' }
}
