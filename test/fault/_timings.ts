// Collects the times of answers by phase and kind.

/** Starts in the phase `before`. */
export function openTimings() {
  const phases = new Map<string, Map<string, number[]>>()
  let phase = 'before'
  const add = (kind: string, tookMs: number): void => {
    const kinds = phases.get(phase) ?? new Map<string, number[]>()
    phases.set(phase, kinds)
    kinds.set(kind, [...(kinds.get(kind) ?? []), tookMs])
  }
  return {
    add,
    begin: (name: string): void => {
      phase = name
    },
    /** Returns the 99th percentile of each kind in each phase, in ms. */
    tell: (): Record<string, number> =>
      Object.fromEntries(
        [...phases].flatMap(([name, kinds]) =>
          [...kinds].map(([kind, values]) => {
            const sorted = values.toSorted((a, b) => a - b)
            return [`p99_${kind}_${name}_ms`, Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)] as const
          }),
        ),
      ),
  }
}
