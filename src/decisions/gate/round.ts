// Measured numbers as they are kept: without the dust that another order of adding leaves behind.

/** To so many decimals; null stays null. */
export function roundTo<T extends number | null>(value: T, decimals: number): T {
  if (value === null) return value
  const steps = 10 ** decimals
  return (Math.round(value * steps) / steps) as T
}

export const usdDecimals = 10
export const msDecimals = 3
export const shareDecimals = 9
