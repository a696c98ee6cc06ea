// The units of a chart's numbers and their formats: short on axes and in the readout, in full in the table.
import {
  exact,
  formatCount,
  formatDuration,
  formatEvidence,
  formatFraction,
  formatTokens,
  formatUsd,
  formatUsdExact,
  formatUsdSum,
  missing,
} from '../format/index.ts'

export type Unit = 'usd' | 'tokens' | 'count' | 'ms' | 'fraction' | 'evidence'

export type Value = number | null

const exactOrMissing = (value: Value): string => (value === null ? missing : exact(value))

const short: Readonly<Record<Unit, (value: Value) => string>> = {
  usd: formatUsd,
  tokens: formatTokens,
  count: formatCount,
  ms: formatDuration,
  fraction: formatFraction,
  evidence: formatEvidence,
}

const whole: Readonly<Record<Unit, (value: Value) => string>> = {
  usd: formatUsdExact,
  tokens: exactOrMissing,
  count: exactOrMissing,
  ms: exactOrMissing,
  fraction: exactOrMissing,
  evidence: exactOrMissing,
}

/** `unpriced`: the number of calls that have no price, whose cost is missing from the value. */
export const formatShort = (unit: Unit, value: Value, unpriced = 0): string =>
  formatLacking(short[unit], value, unpriced)

/** Formats the number as the API returned it. */
export const formatWhole = (unit: Unit, value: Value, unpriced = 0): string =>
  formatLacking(whole[unit], value, unpriced)

const formatLacking = (format: (value: Value) => string, value: Value, unpriced: number): string =>
  unpriced === 0 ? format(value) : formatUsdSum(value, unpriced, format)

/** Returns the label of an axis, with few digits. It is empty for a count that is not a whole number. */
export function formatAxis(unit: Unit, value: number): string {
  if (unit === 'count' || unit === 'tokens') return Number.isInteger(value) ? trimZeros(formatTokens(value)) : ''
  // The axis has labels at powers of ten only.
  if (unit === 'evidence' && value >= 1) return trimZeros(formatTokens(value))
  return value === 0 ? '0' : trimZeros(formatShort(unit, value))
}

const trimZeros = (text: string): string => text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '')
