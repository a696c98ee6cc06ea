// Rounds measured numbers before they are stored, so that the order of additions makes no difference.

/** Rounds to `decimals`; null stays null. */
export function roundTo<T extends number | null>(value: T, decimals: number): T {
  if (value === null) return value
  const steps = 10 ** decimals
  return (Math.round(value * steps) / steps) as T
}

export const usdDecimals = 10
export const msDecimals = 3
export const shareDecimals = 9
