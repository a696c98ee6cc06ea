// The formatting of values. Every page uses these functions, so that a value looks the same everywhere.
export { formatDuration } from './duration.ts'
export { isUuid, shortId } from './ids.ts'
export { countOf, exact, formatCount, formatEvidence, formatEvidenceOf, formatTokens, missing } from './numbers.ts'
export { type Change, formatChange, formatFraction, formatShare } from './share.ts'
export {
  describeCostDelta,
  describeLatencyDelta,
  describeSaving,
  type Effect,
  formatSignedDuration,
  formatSignedUsd,
} from './signed.ts'
export { explainTime, formatAge, formatAgo, formatBucket, formatTime, type Precision } from './time.ts'
export { explainUnpriced, formatUsd, formatUsdExact, formatUsdRate, formatUsdSum } from './usd.ts'
export {
  findInstant,
  formatOffset,
  isZone,
  listZones,
  nameZone,
  readLocal,
  renameZone,
  startOfDay,
  startOfMonth,
} from './zone.ts'
