// Numbers, and the digits that all formatters share. Intl rounds the decimal form, so 1.005 becomes 1.01 and not 1.00.

/** Shown if there is no value; never for zero. */
export const missing = '—'
export const minus = '\u2212'

const formatters = new Map<string, Intl.NumberFormat>()

function open(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', options)
  formatters.set(key, made)
  return made
}

/** Returns a number with exactly `digits` decimals and thousands separators. */
export const fixed = (value: number, digits: number): string =>
  open(`fixed ${digits}`, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

/** Returns a number with exactly `digits` significant digits and without an exponent. */
export const significant = (value: number, digits: number): string =>
  open(`significant ${digits}`, {
    minimumSignificantDigits: digits,
    maximumSignificantDigits: digits,
    useGrouping: false,
  }).format(value)

/** Returns all digits of a number, without an exponent. A fraction has at most 13: further ones are rounding errors of float sums. */
export const exact = (value: number): string => {
  const digits = Number.isInteger(value) ? 17 : 13
  return withMinus(value, open(`exact ${digits}`, { maximumSignificantDigits: digits }).format(Math.abs(value)))
}

/** Puts a minus sign (U+2212) before the text of a negative value, since a hyphen is narrower than the plus sign. */
export const withMinus = (value: number, text: string): string => (value < 0 ? minus + text : text)

/** Puts a plus or minus sign before the text of a difference; no sign for zero. */
export const withSign = (value: number, text: string): string => (value > 0 ? `+${text}` : withMinus(value, text))

/** Returns a count in full: `43,120`. */
export const formatCount = (count: number | null): string =>
  count === null ? missing : withMinus(count, fixed(Math.abs(count), 0))

/** Returns `1 trace`, `43,120 traces`: for words whose plural only adds an s. */
export const countOf = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

// The service returns no larger value.
const mostEvidence = 1_000_000

/** Returns the evidence for a rule, a factor: `14.2`, `0.42`, `1,204`. It is rounded down, so that it never shows an unreached value. */
export function formatEvidence(evidence: number | null): string {
  if (evidence === null) return missing
  if (evidence >= mostEvidence) return `over ${fixed(mostEvidence, 0)}`
  const digits = evidence >= 100 || Number.isInteger(evidence) ? 0 : evidence >= 1 ? 1 : 2
  const step = 10 ** digits
  return fixed(Math.floor(evidence * step + 1e-9) / step, digits)
}

/** Returns `14.2 of 20`; with enough evidence, `41,200, 20 needed`, since a part cannot be larger than its whole. */
export function formatEvidenceOf(evidence: number | null, needed: number | null): string {
  const isEnough = evidence !== null && needed !== null && evidence >= needed
  return isEnough
    ? `${formatEvidence(evidence)}, ${formatEvidence(needed)} needed`
    : `${formatEvidence(evidence)} of ${formatEvidence(needed)}`
}

const tokenUnits = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Returns up to 9,999 tokens in full, and larger numbers with three digits: `12.4k`, `3.21M`. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return missing
  const size = Math.abs(tokens)
  if (Math.round(size) <= 9_999) return formatCount(tokens)
  const rounded = Number(size.toPrecision(3))
  const [unit, letter] = tokenUnits.find(([least]) => rounded >= least) ?? [1, '']
  return withMinus(tokens, `${significant(rounded / unit, 3)}${letter}`)
}
