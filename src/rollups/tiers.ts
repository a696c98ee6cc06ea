// The lengths of rollups, all aligned to the Unix epoch: minutes, hours, and days in UTC.

export const tiers = { minute: 0, hour: 1, day: 2 } as const
/** The number in the tables. */
export type Tier = 0 | 1 | 2

export const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

export const lengthMs: Readonly<Record<Tier, number>> = { 0: minuteMs, 1: hourMs, 2: dayMs }
export const tierNames: Readonly<Record<Tier, string>> = { 0: 'minute', 1: 'hour', 2: 'day' }

/** The start of the interval that contains a time. */
export const floorTo = (ms: number, tier: Tier): number => Math.floor(ms / lengthMs[tier]) * lengthMs[tier]

/** The first start that is not before a time. */
export const ceilTo = (ms: number, tier: Tier): number => Math.ceil(ms / lengthMs[tier]) * lengthMs[tier]
