// What the service does with spans after it has answered: it settles their traces and folds their counts. A bench that states the cost of a
// span waits until this work ends, and subtracts what the service and the database cost while idle.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchPostgres } from './_postgres.ts'
import { median } from './_report.ts'

const pollMs = 250
const deadlineMs = 180_000
const idleWindows = 5
const idleWindowS = 3

type Left = { readonly unsettled: boolean; readonly unfolded: boolean; readonly uncounted: boolean }

// Rows of hours and days are summed minutes after the hour or day ends, once for each workspace: that work is not part of the cost of a
// span.
const readLeft = `select exists (select from traces where not settled) as unsettled,
  exists (select from rollup_deltas) or exists (select from scope_deltas) as unfolded,
  exists (select from rollup_work where kind = 0) as uncounted`

/** Resolves once every trace is settled, every delta is folded and every stale minute is recounted. */
export async function untilQuiet({ query }: BenchPostgres): Promise<void> {
  const untilMs = performance.now() + deadlineMs
  for (;;) {
    const [left] = await query<Left>(readLeft)
    if (left !== undefined && !left.unsettled && !left.unfolded && !left.uncounted) return
    if (performance.now() > untilMs) throw new Error(`the background is not done in time: ${JSON.stringify(left)}`)
    await sleep(pollMs)
  }
}

/** Reads seconds of CPU, one figure for each process or thread. */
export type ReadCpu = () => readonly number[]

/**
 * Returns the cores in use while the service is idle and `untilQuiet` runs the same queries. The median of several windows is used, since a
 * vacuum or a checkpoint in one of them is a cost of rows stored earlier.
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
