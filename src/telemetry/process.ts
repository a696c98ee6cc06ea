// Metrics that are the same for all roles of a process: release, memory, event loop.
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { Counter } from 'prom-client'
import type { Metrics } from './metrics.ts'
import { standardOutput } from './standard-output.ts'

/** The values are measured on each scrape. */
export function observeProcess({ registry, gauge }: Metrics, roles: string): void {
  const version = readVersion()
  gauge('tracewright_info', 'Always 1; the labels give the version and the roles', ['version', 'roles'], (info) =>
    info.set({ version, roles }, 1),
  )
  gauge('tracewright_memory_limit_bytes', 'Memory limit of the process: of its cgroup or of the machine', [], (limit) =>
    limit.set(readMemoryLimit()),
  )
  gauge('tracewright_heap_limit_bytes', 'Maximum size of the heap of the main thread', [], (limit) =>
    limit.set(getHeapStatistics().heap_size_limit),
  )
  // A running total, so that any number of scrapers may read it at any interval.
  registry.registerMetric(
    new Counter({
      name: 'tracewright_event_loop_active_seconds_total',
      help: 'Time for which the event loop of the main thread was active; the rate is its utilization',
      registers: [],
      collect() {
        this.reset()
        this.inc(performance.eventLoopUtilization().active / 1_000)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'tracewright_log_lines_lost_total',
      help: 'Log lines that could not be written to standard output, because the disk was full or the reader did not keep up',
      registers: [],
      collect() {
        this.reset()
        this.inc(standardOutput.lostLines())
      },
    }),
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
