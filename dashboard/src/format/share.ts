// Formats shares of a whole, and changes between two windows.
import { fixed, missing, significant, withSign } from './numbers.ts'

const fewCases = 20

/** Returns `3 of 3` for fewer than 20 cases, else a percentage with enough digits to differ from 0 % and 100 %: `99.97 %`. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return missing
  if (whole < fewCases) return `${fixed(part, 0)} of ${fixed(whole, 0)}`
  return formatFraction(part / whole)
}

/** Returns a fraction as a percentage, for an unknown number of cases: `12.3 %`. Only 0 and 1 become `0 %` and `100 %`. */
export function formatFraction(fraction: number | null): string {
  if (fraction === null) return missing
  const percent = fraction * 100
  if (percent === 0 || percent === 100) return `${percent} %`
  for (let digits = 1; digits < 12; digits++) {
    const text = fixed(percent, digits)
    if (Number(text.replaceAll(',', '')) !== 0 && Number(text.replaceAll(',', '')) !== 100) return `${text} %`
  }
  return percent < 50 ? '0 %' : '100 %'
}

export type Change = { readonly text: string; readonly direction: 'up' | 'down' | 'same' }

/** Returns how a figure changed since the previous window: `+12.3 %`, `×14.0`; null if there is nothing to compare. */
export function formatChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null || before <= 0) return null
  const ratio = now / before
  const percent = (ratio - 1) * 100
  if (Math.abs(percent) < 0.05) return { text: '0.0 %', direction: 'same' }
  const text = ratio >= 10 ? `×${significantUpTo(ratio)}` : withSign(percent, `${fixed(Math.abs(percent), 1)} %`)
  return { text, direction: percent > 0 ? 'up' : 'down' }
}

const significantUpTo = (ratio: number): string => (ratio < 999.5 ? significant(ratio, 3) : fixed(ratio, 0))
