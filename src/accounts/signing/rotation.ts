// When signing keys are made, take over, stop being published and are dropped: a pure plan over what there is.

const dayMs = 86_400_000
export const keyLifeMs = 90 * dayMs
/** Verifiers that cache the key set know a key at least this long before it signs. */
export const prePublicationMs = dayMs
/** Longer than any token that the old key signed can live. */
export const afterlifeMs = 3_600_000

export type KeyTimes = { readonly kid: string; readonly activeFrom: Date; readonly retiredAt: Date | null }

export type RotationPlan = {
  /** A key to make for each of these times of its first signature. */
  readonly make: readonly Date[]
  readonly retire: readonly { readonly kid: string; readonly at: Date }[]
  readonly drop: readonly string[]
}

/** What is to be done now. Afterwards there is a current key and a next one, and nothing else but keys on their way out. */
export function planRotation(keys: readonly KeyTimes[], now: Date): RotationPlan {
  const nowMs = now.getTime()
  const ordered = [...keys].sort((a, b) => a.activeFrom.getTime() - b.activeFrom.getTime())
  const current = ordered.findLast(({ activeFrom }) => activeFrom.getTime() <= nowMs)
  const hasNext = ordered.some(({ activeFrom }) => activeFrom.getTime() > nowMs)
  const currentFromMs = current?.activeFrom.getTime() ?? nowMs
  return {
    make: [
      ...(current === undefined ? [now] : []),
      ...(hasNext ? [] : [new Date(Math.max(currentFromMs + keyLifeMs, nowMs + prePublicationMs))]),
    ],
    retire: ordered.flatMap((key, at) => {
      const successor = ordered[at + 1]
      if (key.retiredAt !== null || successor === undefined || successor.activeFrom.getTime() > nowMs) return []
      return [{ kid: key.kid, at: new Date(successor.activeFrom.getTime() + afterlifeMs) }]
    }),
    drop: ordered.flatMap(({ kid, retiredAt }) => (retiredAt !== null && retiredAt.getTime() <= nowMs ? [kid] : [])),
  }
}
