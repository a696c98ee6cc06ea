// SDK. The time to wait before the next try after a failure.

/**
 * Returns milliseconds: `firstMs`, doubled with each failure up to `maxMs`, times a random factor between 0.5 and 1, so that clients do not
 * retry in step.
 */
export function backOffMs(failures: number, firstMs: number, maxMs: number, random: () => number): number {
  const ceilingMs = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return ceilingMs * (0.5 + random() / 2)
}
