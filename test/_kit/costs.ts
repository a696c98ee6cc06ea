// What the processes of the test files cost. ava's durations say little: a test includes the wait for the others of its process.
import { appendFileSync, readFileSync } from 'node:fs'

export type Cost = {
  readonly files: readonly string[]
  /** CPU time of the process and of those that it started and that have ended, such as services and browsers; not of PostgreSQL. */
  readonly cpuS: number
  readonly wallS: number
}

/** The unit of times in /proc, on every Linux. */
const ticksPerS = 100

/** Returns 0 where there is no /proc. */
function readChildrenCpuS(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // After the name, which may contain blanks: state, …, cutime and cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / ticksPerS
  } catch {
    return 0
  }
}

/** Appends the cost of this process, in which `files` run, to the list `path` when it ends. */
export function recordCost(path: string, files: readonly string[]): void {
  // First, since a later listener may replace the process.
  process.prependOnceListener('exit', () => {
    const { user, system } = process.cpuUsage()
    const cost: Cost = { files, cpuS: (user + system) / 1e6 + readChildrenCpuS(), wallS: process.uptime() }
    appendFileSync(path, `${JSON.stringify(cost)}\n`)
  })
}

/** Reads the costs that were recorded, the highest CPU time first. */
export const readCosts = (path: string): Cost[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Cost)
    .toSorted((a, b) => b.cpuS - a.cpuS)
