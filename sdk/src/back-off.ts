// SDK. How long to wait after one failure more.

/** Doubling from `firstMs` to `maxMs`, and of that between a half and all, so that clients do not come back in step. */
export function backOffMs(failures: number, firstMs: number, maxMs: number, random: () => number): number {
  const ceilingMs = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return ceilingMs * (0.5 + random() / 2)
}
