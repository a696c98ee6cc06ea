// Formats durations that are given in milliseconds.
import { fixed, missing, significant, withMinus } from './numbers.ts'

/** `0.42 ms` · `842 ms` · `12.4 s` · `3m 12s` · `2h 05m` · `3d 04h`; null: `—`. */
export const formatDuration = (ms: number | null): string =>
  ms === null ? missing : withMinus(ms, formatLength(Math.abs(ms)))

// Each bound is where the rounded text would reach the next unit: 999.6 ms is 1.00 s and not 1,000 ms.
function formatLength(ms: number): string {
  if (ms === 0) return '0 ms'
  if (ms < 1) return `${significant(ms, 2)} ms`
  if (ms < 9.95) return `${fixed(ms, 1)} ms`
  if (ms < 999.5) return `${fixed(ms, 0)} ms`
  if (ms < 9_995) return `${fixed(ms / 1_000, 2)} s`
  if (ms < 59_950) return `${fixed(ms / 1_000, 1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return formatPair(seconds, 60, 'm', 's')
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1_440) return formatPair(minutes, 60, 'h', 'm')
  return formatPair(Math.round(ms / 3_600_000), 24, 'd', 'h')
}

const formatPair = (total: number, base: number, large: string, small: string): string =>
  `${fixed(Math.floor(total / base), 0)}${large} ${String(total % base).padStart(2, '0')}${small}`
