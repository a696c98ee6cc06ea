// Metrics that are the same for all roles of a process: release, memory, event loop.
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Metrics } from './metrics.ts'
import { standardOutput } from './standard-output.ts'

/** The values are measured on each scrape. */
export function observeProcess({ gauge, watch, watchTotal }: Metrics, roles: string): void {
  const version = readVersion()
  gauge('tracewright_info', 'Always 1; the labels give the version and the roles', ['version', 'roles'], (info) =>
    info.set({ version, roles }, 1),
  )
  watch(
    'tracewright_memory_limit_bytes',
    'Memory limit of the process: of its cgroup or of the machine',
    readMemoryLimit,
  )
  watch(
    'tracewright_heap_limit_bytes',
    'Maximum size of the heap of the main thread',
    () => getHeapStatistics().heap_size_limit,
  )
  // A running total, so that any number of scrapers may read it at any interval.
  watchTotal(
    'tracewright_event_loop_active_seconds_total',
    'Time for which the event loop of the main thread was active; the rate is its utilization',
    () => performance.eventLoopUtilization().active / 1_000,
  )
  watchTotal(
    'tracewright_log_lines_lost_total',
    'Log lines that could not be written to standard output, because the disk was full or the reader did not keep up',
    () => standardOutput.lostLines(),
  )
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** For a cgroup without a limit, `constrainedMemory` returns 0 or more than the memory of the machine. */
function readMemoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
