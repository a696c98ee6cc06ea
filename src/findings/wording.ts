// Formats the parts of the sentences of findings.

const maxName = 80

/** Returns a name that a sender chose, in quotes and cut to 80 characters. */
export const quote = (name: string): string =>
  `“${name.length <= maxName ? name : `${name.slice(0, maxName - 1).toWellFormed()}…`}”`

let whole: Intl.NumberFormat | null = null

/** Formats a number: "1,234". */
export function number(value: number): string {
  // Created at first use: it loads the data of a locale, which takes 10 ms.
  whole ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
  return whole.format(value)
}

/** Formats a number with its noun: "1,234 calls", "1 call". */
export const count = (times: number, one: string, many = `${one}s`): string =>
  `${number(times)} ${times === 1 ? one : many}`

const maxShareDigits = 6

/**
 * Formats a share in percent: "42 %"; below ten with a decimal, "4.2 %". A part is never shown as 0 % or 100 %, if six decimals suffice:
 * "99.7 %".
 */
export function percent(share: number): string {
  const least = share < 0.1 ? 1 : 0
  const isPart = share > 0 && share < 1
  for (let digits = least; ; digits++) {
    const shown = (share * 100).toFixed(digits)
    const isRounded = isPart && [0, 100].includes(Number(shown))
    if (!isRounded || digits === maxShareDigits) return `${shown} %`
  }
}

let small: Intl.NumberFormat | null = null

/** Formats an amount: "$12.30"; below a dollar with two significant digits. */
export function usd(amount: number): string {
  if (amount >= 0.995 || amount === 0) return `$${amount.toFixed(2)}`
  small ??= new Intl.NumberFormat('en-US', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 })
  return `$${small.format(amount)}`
}

/** Formats a duration: "850 ms", "2.5 s", "3.2 min". */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  return ms < 119_950 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`
}

/** Returns the sentence of a finding whose cost cannot be estimated. */
export const noEstimate = (why: string): string => `No cost estimate: ${why}.`
