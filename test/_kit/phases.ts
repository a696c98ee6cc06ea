// The order in which the files of the suite run, and how many run in parallel on two cores.
import { globSync } from 'node:fs'
import { type Companions, shareProcesses, shareScenes } from './shared-process.ts'
import { isSoak } from './soak.ts'
import { makeServerUses } from './uses-servers.ts'

/** Files of one kind, which one ava process runs. */
export type Lane = {
  readonly name: string
  /** Number of files that run at the same time. */
  readonly concurrency: number
  /** Arguments of ava: files and options. */
  readonly args: readonly string[]
}

/** Lists of lanes. The lists run in parallel, the lanes of a list one after another. */
export type Phase = readonly (readonly Lane[])[]

export type TestPlan = { readonly phases: readonly Phase[]; readonly companions: Companions }

const kinds = isSoak ? '{test,soak}' : 'test'
const patterns = ['test', 'sdk/test', 'dashboard/test'].map((folder) => `${folder}/**/*.${kinds}.ts`)

/** This test compares the service under overload with its best performance, so no other test may use the machine. */
const isAlone = (file: string): boolean => file === 'test/fault/overload.test.ts'
/** A cluster has a dozen processes, which wait for each other most of the time. */
const isCluster = (file: string): boolean => file.startsWith('test/fault/')
/** A browser uses a whole core; several of them at once would slow each other down. */
const isBrowser = (file: string): boolean => file.startsWith('test/dashboard/')
/** The image contains the dashboard, whose build has ended when these files start. */
const isImage = (file: string): boolean => file.startsWith('test/deploy/image')
/** The files that wait longest start first, so that none of them runs alone at the end. */
const isLong = (file: string): boolean =>
  /cluster-|kill-postgres|every-page|slow-client|demo|deploy|roles|service|hostile/.test(file)

/**
 * How many in 32 of the short files run after the clusters and after the browsers, so that all lanes end at about the same time on a new
 * machine, where both wait for more than a minute until their servers and the dashboard are made.
 */
const [afterClusters, afterBrowsers] = [6, 8]

const placeOf = (at: number): 'sooner' | 'clusters' | 'browsers' => {
  const place = at % 32
  if (place < afterBrowsers) return 'browsers'
  return place < afterBrowsers + afterClusters ? 'clusters' : 'sooner'
}

/** Plans all files, or only those of the arguments if there are any; these do not share processes. */
export function planPhases(root: string, args: readonly string[]): TestPlan {
  if (args.length > 0) return { phases: [[[{ name: 'files', concurrency: 3, args }]]], companions: {} }
  const files = globSync(patterns, { cwd: root }).toSorted()
  const [alone, beside] = split(files, isAlone)
  const [clusters, light] = split(beside, isCluster)
  const [browsers, usual] = split(light, isBrowser)
  const shared = shareProcesses(root, usual)
  const scenes = shareScenes(root, browsers)
  const [needBuild, others] = split(shared.files, isImage)
  // These wait for the servers, which take longest to prepare.
  const [onServers, plain] = split(others, makeServerUses(root).usesServer)
  const [long, short] = split(plain, isLong)
  const { sooner = [], clusters: later = [], browsers: last = [] } = Object.groupBy(short, (_, at) => placeOf(at))
  const phases: Phase[] = [
    [
      // Most files wait for PostgreSQL half of their time.
      [{ name: 'most files', concurrency: 2, args: [...long, ...sooner] }],
      // The files after these two keep both cores busy to the end.
      [
        { name: 'clusters', concurrency: 1, args: longestFirst(clusters) },
        { name: 'other files', concurrency: 2, args: [...needBuild, ...onServers, ...later] },
      ],
      [
        { name: 'browsers', concurrency: 1, args: longestFirst(scenes.files) },
        { name: 'last files', concurrency: 2, args: last },
      ],
    ],
    [[{ name: 'overload', concurrency: 1, args: alone }]],
  ]
  return { phases, companions: { ...shared.companions, ...scenes.companions } }
}

const split = (files: readonly string[], isOne: (file: string) => boolean): [ones: string[], others: string[]] => [
  files.filter(isOne),
  files.filter((file) => !isOne(file)),
]

const longestFirst = (files: readonly string[]): string[] => split(files, isLong).flat()
