// Shares of a whole, and changes between two windows.
import { fixed, missing, significant, withSign } from './numbers.ts'

const fewCases = 20

/** `3 of 3` under 20 cases; else as many digits as tell the share from none and from all: `99.97 %`. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return missing
  if (whole < fewCases) return `${fixed(part, 0)} of ${fixed(whole, 0)}`
  return formatFraction(part / whole)
}

/** A fraction whose cases are not known: `12.3 %`. Only 0 and 1 themselves are `0 %` and `100 %`. */
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

/** How a figure moved against the window before: `+12.3 %`, `×14.0`; null where there is nothing to compare. */
export function formatChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null || before <= 0) return null
  const ratio = now / before
  const percent = (ratio - 1) * 100
  if (Math.abs(percent) < 0.05) return { text: '0.0 %', direction: 'same' }
  const text = ratio >= 10 ? `×${significantUpTo(ratio)}` : withSign(percent, `${fixed(Math.abs(percent), 1)} %`)
  return { text, direction: percent > 0 ? 'up' : 'down' }
}

const significantUpTo = (ratio: number): string => (ratio < 999.5 ? significant(ratio, 3) : fixed(ratio, 0))
