// What the test command prints at its end.
import { inspect } from 'node:util'
import type { Cost } from './costs.ts'

export const writeLine = (line: string): void => void process.stdout.write(`${line}\n`)

export type Result = {
  /** Lines of ava's report, one for each test. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** What ava prints after its last test: why tests failed. Bounded. */
  readonly reasons: readonly string[]
  readonly code: number
  /** The lane and its duration. */
  readonly took: string
}

const shownCosts = 20
const shownWaits = 5
/** A process that shares two cores with those of three lanes uses about this share of its time. */
const usualShare = 1 / 4

/**
 * Prints the processes that cost most, those that waited most and the durations of the lanes, then repeats the failures and their reasons: CI
 * may keep only the end of the log. `fault`: why the run could not continue, which counts as one failure. Returns whether all tests passed.
 */
export function report(results: readonly Result[], costs: readonly Cost[], fault: unknown): boolean {
  const passed = results.flatMap((result) => result.passed)
  const failed = results.flatMap((result) => result.failed)
  // A file that ends without running a test has failed too.
  const silent = results.filter((result) => result.failed.length === 0 && result.code !== 0).length
  if (costs.length > 0) {
    writeLine('\nthe most expensive processes (CPU, duration, files):')
    for (const one of costs.slice(0, shownCosts)) writeCost(one)
    writeLine('\nthe processes that waited longest for something other than a core:')
    const waited = ({ cpuS, wallS }: Cost): number => wallS - cpuS / usualShare
    for (const one of costs.toSorted((a, b) => waited(b) - waited(a)).slice(0, shownWaits)) writeCost(one)
    writeLine(`the lanes: ${results.map(({ took }) => took).join(', ')}`)
  }
  const reasons = results.filter(({ code }) => code !== 0).flatMap((result) => result.reasons)
  for (const line of ['', ...reasons, ...failed]) writeLine(line)
  if (fault !== undefined) writeLine(inspect(fault))
  const failures = failed.length + silent + (fault === undefined ? 0 : 1)
  writeLine(`${passed.length} passed, ${failures} failed`)
  return failures === 0 && passed.length > 0
}

const writeCost = ({ files: ran, cpuS, wallS }: Cost): void =>
  writeLine(`  ${cpuS.toFixed(1)} s, ${wallS.toFixed(1)} s, ${ran.join(' ')}`)
