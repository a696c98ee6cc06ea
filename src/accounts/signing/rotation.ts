// Plans the rotation of signing keys: when each is created, becomes current, and is retired and dropped. Pure.

const dayMs = 86_400_000
export const keyLifeMs = 90 * dayMs
/** Verifiers that cache the key set can read a key at least this long before it signs. */
export const prePublicationMs = dayMs
/** Longer than the lifetime of any token that the old key signed. */
export const afterlifeMs = 3_600_000

export type KeyTimes = { readonly kid: string; readonly activeFrom: Date; readonly retiredAt: Date | null }

export type RotationPlan = {
  /** The times at which the keys to create begin to sign. */
  readonly make: readonly Date[]
  readonly retire: readonly { readonly kid: string; readonly at: Date }[]
  readonly drop: readonly string[]
}

/** Returns what to do now. Afterwards there is a current key, a next key, and otherwise only keys that have a retirement time. */
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
