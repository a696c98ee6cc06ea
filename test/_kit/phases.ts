// The order in which the files of the suite run, and how many run side by side on two cores.
import { globSync } from 'node:fs'

export type Phase = {
  /** Files at the same time. */
  readonly concurrency: number
  /** Of ava: files, and whatever else was given. */
  readonly args: readonly string[]
}

const patterns = ['test/**/*.test.ts', 'sdk/test/**/*.test.ts', 'dashboard/test/**/*.test.ts']
// Most files wait for PostgreSQL half of their time.
const usual = 3
// A cluster is a dozen processes, which wait for each other most of the time.
const clusters = 3

/** Compares what the service does under load with what it does best, so that nothing else may take part of the machine. */
const isAlone = (file: string): boolean => file === 'test/fault/overload.test.ts'
const isCluster = (file: string): boolean => file.startsWith('test/fault/')
// Longest first, so that none of them runs alone at the end: one to three minutes each.
const isLongCluster = (file: string): boolean => /cluster-|kill-postgres/.test(file)
// Those that wait longest, for the same reason.
const isSlow = (file: string): boolean => /slow-client|demo|deploy|roles|service|hostile|dashboard/.test(file)

/** Of all files where no arguments are given, else of those alone. */
export function planPhases(root: string, args: readonly string[]): readonly Phase[] {
  if (args.length > 0) return [{ concurrency: usual, args }]
  const files = globSync(patterns, { cwd: root }).toSorted()
  const others = files.filter((file) => !isAlone(file))
  const light = others.filter((file) => !isCluster(file))
  return [
    { concurrency: usual, args: longestFirst(light, isSlow) },
    { concurrency: clusters, args: longestFirst(others.filter(isCluster), isLongCluster) },
    { concurrency: 1, args: files.filter(isAlone) },
  ]
}

const longestFirst = (files: readonly string[], isLong: (file: string) => boolean): string[] => [
  ...files.filter(isLong),
  ...files.filter((file) => !isLong(file)),
]
