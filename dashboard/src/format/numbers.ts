// Digits that every formatter shares. Intl rounds the decimal form, so 1.005 becomes 1.01 and not 1.00.

/** Stands where there is no value: never zero. */
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

/** Exactly `digits` decimals, with separators of thousands. */
export const fixed = (value: number, digits: number): string =>
  open(`fixed ${digits}`, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

/** Exactly `digits` significant digits and never an exponent. */
export const significant = (value: number, digits: number): string =>
  open(`significant ${digits}`, {
    minimumSignificantDigits: digits,
    maximumSignificantDigits: digits,
    useGrouping: false,
  }).format(value)

/** All digits that the number has, without an exponent. The 16th and 17th of a fraction are what adding floats left. */
export const exact = (value: number): string => {
  const digits = Number.isInteger(value) ? 17 : 15
  return withMinus(value, open(`exact ${digits}`, { maximumSignificantDigits: digits }).format(Math.abs(value)))
}

/** U+2212 before the text of a negative value: a hyphen is narrower than the plus sign. */
export const withMinus = (value: number, text: string): string => (value < 0 ? minus + text : text)

/** Plus or minus before the text of a difference; none at zero. */
export const withSign = (value: number, text: string): string => (value > 0 ? `+${text}` : withMinus(value, text))

/** A count in full: `43,120`. */
export const formatCount = (count: number | null): string =>
  count === null ? missing : withMinus(count, fixed(Math.abs(count), 0))

/** `1 trace`, `43,120 traces`: of a word that only takes an s. */
export const countOf = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

// The service gives no larger one.
const mostEvidence = 1_000_000

/** The evidence for a rule, a factor: `14.2`, `0.42`, `1,204`. It is never rounded up to a whole that it has not reached. */
export function formatEvidence(evidence: number | null): string {
  if (evidence === null) return missing
  if (evidence >= mostEvidence) return `over ${fixed(mostEvidence, 0)}`
  const digits = evidence >= 100 || Number.isInteger(evidence) ? 0 : evidence >= 1 ? 1 : 2
  const step = 10 ** digits
  return fixed(Math.floor(evidence * step + 1e-9) / step, digits)
}

/** `14.2 of 20`; once there is enough of it, `41,200, 20 needed`: a part of a whole is not larger than the whole. */
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

/** Up to 9,999 in full, then three digits: `12.4k`, `3.21M`. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return missing
  const size = Math.abs(tokens)
  if (Math.round(size) <= 9_999) return formatCount(tokens)
  const rounded = Number(size.toPrecision(3))
  const [unit, letter] = tokenUnits.find(([least]) => rounded >= least) ?? [1, '']
  return withMinus(tokens, `${significant(rounded / unit, 3)}${letter}`)
}
