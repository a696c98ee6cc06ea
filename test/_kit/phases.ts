// The order in which the files of the suite run, and how many run side by side on two cores.
import { globSync } from 'node:fs'
import { type Companions, shareProcesses } from './shared-process.ts'

/** Files of one kind, for a process of ava of their own. */
export type Lane = {
  readonly name: string
  /** Files at the same time. */
  readonly concurrency: number
  /** Of ava: files, and whatever else was given. */
  readonly args: readonly string[]
}

/** Lanes that run side by side; each of them is one lane after another. */
export type Phase = readonly (readonly Lane[])[]

export type Plan = { readonly phases: readonly Phase[]; readonly companions: Companions }

const patterns = ['test/**/*.test.ts', 'sdk/test/**/*.test.ts', 'dashboard/test/**/*.test.ts']

/** Compares what the service does under load with what it does best, so that nothing else may take part of the machine. */
const isAlone = (file: string): boolean => file === 'test/fault/overload.test.ts'
/** A cluster is a dozen processes, which wait for each other most of the time. */
const isCluster = (file: string): boolean => file.startsWith('test/fault/')
/** A browser keeps a core busy: several of them at once keep each other from their next step. */
const isBrowser = (file: string): boolean => file.startsWith('test/dashboard/')
/** Those that wait longest begin first, so that none of them runs by itself at the end. */
const isLong = (file: string): boolean =>
  /cluster-|kill-postgres|every-page|slow-client|demo|deploy|roles|service|hostile/.test(file)

/** One of so many of the short files runs after the clusters. */
const laterOf = 3

/** Of all files where no arguments are given, else of those alone, each in a process of its own. */
export function planPhases(root: string, args: readonly string[]): Plan {
  if (args.length > 0) return { phases: [[[{ name: 'files', concurrency: 3, args }]]], companions: {} }
  const files = globSync(patterns, { cwd: root }).toSorted()
  const [alone, others] = split(files, isAlone)
  const [clusters, light] = split(others, isCluster)
  const [browsers, usual] = split(light, isBrowser)
  const shared = shareProcesses(root, usual)
  const [long, short] = split(shared.files, isLong)
  const [later, sooner] = split(short, (file) => short.indexOf(file) % laterOf === 0)
  const phases: Phase[] = [
    [
      // Most files wait for PostgreSQL half of their time.
      [{ name: 'most files', concurrency: 2, args: [...long, ...sooner] }],
      // The clusters end first: what follows them keeps both cores busy to the end.
      [
        { name: 'clusters', concurrency: 1, args: longestFirst(clusters) },
        { name: 'other files', concurrency: 2, args: later },
      ],
      [{ name: 'browsers', concurrency: 1, args: longestFirst(browsers) }],
    ],
    [[{ name: 'overload', concurrency: 1, args: alone }]],
  ]
  return { phases, companions: shared.companions }
}

const split = (files: readonly string[], isOne: (file: string) => boolean): [ones: string[], others: string[]] => [
  files.filter(isOne),
  files.filter((file) => !isOne(file)),
]

const longestFirst = (files: readonly string[]): string[] => split(files, isLong).flat()
