// Explains the numbers of the rules page in words, and converts them from and to the form in which people type them.
import { exact, formatCount } from '../../format/index.ts'

export const units = ['minutes', 'hours', 'days'] as const
export type Unit = (typeof units)[number]

const secondsOf: Readonly<Record<Unit, number>> = { minutes: 60, hours: 3_600, days: 86_400 }

/** Converts to the largest unit that needs no fraction. Seconds that are not whole minutes become a fraction of minutes. */
export function splitSeconds(seconds: number): { readonly amount: number; readonly unit: Unit } {
  const unit = units.findLast((one) => seconds >= secondsOf[one] && seconds % secondsOf[one] === 0) ?? 'minutes'
  return { amount: seconds / secondsOf[unit], unit }
}

/** Returns NaN if the amount is not a number. The service then reports the error for the field. */
export const joinSeconds = (amount: string, unit: Unit): number => Math.round(readNumber(amount) * secondsOf[unit])

/** Formats a share as a percentage: 0.05 becomes `5`. */
export const showPercent = (share: number): string => exact(Number((share * 100).toPrecision(12))).replaceAll(',', '')

export const readPercent = (text: string): number => Number((readNumber(text) / 100).toPrecision(12))

const readNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim()))

/** Converts the bound at the end of a message of the service about a share to a percentage, as in the field. */
export const sayInPercent = (message: string | null): string | null =>
  message?.replace(/ (\d+(?:\.\d+)?)$/, (_, bound: string) => ` ${showPercent(Number(bound))} %`) ?? null

/** The same about an age in seconds: in the unit of the field. */
export const sayInUnit = (message: string | null, unit: Unit): string | null =>
  message?.replace(
    / (\d+)$/,
    (_, bound: string) => ` ${exact(Number((Number(bound) / secondsOf[unit]).toPrecision(6)))} ${unit}`,
  ) ?? null

const perThousand = (share: number): string => formatCount(Math.round(share * 1_000))

/** Returns null if `share` is not a valid share. */
export function explainHoldout(share: number): string | null {
  if (!isShare(share)) return null
  return `Of 1,000 calls that an active rule could serve, ${perThousand(share)} still run for real. They show whether the rule is still right; what they cost is not saved.`
}

export function explainFloor(share: number): string | null {
  if (!isShare(share)) return null
  return `A rule becomes active once it is proven that at most ${perThousand(1 - share)} of 1,000 results that it serves are wrong. If this no longer holds, the rule steps down to a lower age limit or is disabled.`
}

export function explainAlpha(share: number): string | null {
  if (!isShare(share)) return null
  return `Of 1,000 rules that do not meet the floor, at most ${perThousand(share)} are ever activated by chance. A smaller value needs more evidence, so rules become active later.`
}

export function explainFreshness(seconds: number): string | null {
  if (!(seconds > 0)) return null
  const { amount, unit } = splitSeconds(seconds)
  const age = `${exact(Number(amount.toPrecision(6)))} ${amount === 1 ? unit.slice(0, -1) : unit}`
  return `A stored result is served for at most ${age} after the call that produced it, and only up to the age at which it is proven to be right.`
}

const isShare = (share: number): boolean => share > 0 && share < 1
