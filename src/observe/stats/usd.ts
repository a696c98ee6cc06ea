// Money as it is shown: without the dust that adding up doubles leaves behind.

const steps = 1e10

/** To ten decimals: far below any price, far above the error of a sum. */
export const roundUsd = (usd: number): number => Math.round(usd * steps) / steps
