// Rounds sums of money for display, which removes the rounding errors of floating-point sums.

const steps = 1e10

/** Rounds to ten decimals: far below any price, far above the error of a sum. */
export const roundUsd = (usd: number): number => Math.round(usd * steps) / steps
