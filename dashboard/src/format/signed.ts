// Differences: always with their sign, and with the word that says what the sign means.
import { formatDuration } from './duration.ts'
import { missing, withSign } from './numbers.ts'
import { formatUsd } from './usd.ts'

export const formatSignedUsd = (usd: number | null): string =>
  usd === null ? missing : withSign(usd, formatUsd(Math.abs(usd)))

export const formatSignedDuration = (ms: number | null): string =>
  ms === null ? missing : withSign(ms, formatDuration(Math.abs(ms)))

export type Effect = { readonly text: string; readonly tone: 'good' | 'bad' | 'even' }

/** A change of cost: `−$0.0031 per call, saves`. Less is good. */
export function describeCostDelta(usd: number | null, per = 'per call'): Effect {
  if (usd === null) return { text: missing, tone: 'even' }
  return judge(usd, `${formatSignedUsd(usd)} ${per}`, ['saves', 'costs'])
}

/** A change of duration: `−420 ms per call, faster`. Less is good. */
export function describeLatencyDelta(ms: number | null, per = 'per call'): Effect {
  if (ms === null) return { text: missing, tone: 'even' }
  return judge(ms, `${formatSignedDuration(ms)} ${per}`, ['faster', 'slower'])
}

/** Money saved, net of all costs: `+$12.34, saved`. More is good. */
export function describeSaving(usd: number | null): Effect {
  if (usd === null) return { text: missing, tone: 'even' }
  return judge(-usd, formatSignedUsd(usd), ['saved', 'lost'])
}

function judge(delta: number, text: string, [less, more]: readonly [string, string]): Effect {
  if (delta === 0) return { text: `${text}, no change`, tone: 'even' }
  return delta < 0 ? { text: `${text}, ${less}`, tone: 'good' } : { text: `${text}, ${more}`, tone: 'bad' }
}
