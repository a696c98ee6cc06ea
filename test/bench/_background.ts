// What the service does with spans after it has answered: settling their traces, folding what was counted of them. A bench that
// states the cost of a span waits for the end of it, and takes off what the service and the database cost while nothing is to do.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchPostgres } from './_postgres.ts'
import { median } from './_report.ts'

const pollMs = 250
const deadlineMs = 180_000
const idleWindows = 5
const idleWindowS = 3

type Left = { readonly unsettled: boolean; readonly unfolded: boolean; readonly uncounted: boolean }

// Rows of hours and days are summed up minutes after these are over, once for each workspace: they are no cost of a span.
const readLeft = `select exists (select from traces where not settled) as unsettled,
  exists (select from rollup_deltas) or exists (select from scope_deltas) as unfolded,
  exists (select from rollup_work where kind = 0) as uncounted`

/** Resolves once every trace is settled, every delta folded and every stale minute counted anew. */
export async function untilQuiet({ query }: BenchPostgres): Promise<void> {
  const untilMs = performance.now() + deadlineMs
  for (;;) {
    const [left] = await query<Left>(readLeft)
    if (left !== undefined && !left.unsettled && !left.unfolded && !left.uncounted) return
    if (performance.now() > untilMs) throw new Error(`the background is not done in time: ${JSON.stringify(left)}`)
    await sleep(pollMs)
  }
}

/** Seconds of CPU, each figure of another process or thread. */
export type ReadCpu = () => readonly number[]

/**
 * Cores in use while nothing is to do, under the same questions as `untilQuiet` asks: the median of some windows, since a vacuum or
 * a checkpoint that falls into one of them is the cost of what was stored before.
 */
export async function measureIdle(postgres: BenchPostgres, readCpu: ReadCpu): Promise<readonly number[]> {
  const windows: (readonly number[])[] = []
  for (let nth = 0; nth < idleWindows; nth += 1) windows.push(await measureWindow(postgres, readCpu))
  return (windows[0] ?? []).map((_, at) => median(windows.map((cores) => cores[at] ?? Number.NaN)))
}

async function measureWindow({ query }: BenchPostgres, readCpu: ReadCpu): Promise<readonly number[]> {
  const before = readCpu()
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < idleWindowS * 1_000) {
    await query<Left>(readLeft)
    await sleep(pollMs)
  }
  const seconds = (performance.now() - startedAtMs) / 1_000
  return readCpu().map((after, at) => (after - (before[at] ?? Number.NaN)) / seconds)
}
