// Floor 0. A bound on the bytes that many callers hold at once.

export type ByteBudget = {
  /** False where the budget has no room; nothing is taken then. */
  take(bytes: number): boolean
  give(bytes: number): void
  taken(): number
}

export function makeByteBudget(maxBytes: number): ByteBudget {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) return false
      taken += bytes
      return true
    },
    give(bytes) {
      taken -= bytes
    },
    taken: () => taken,
  }
}
