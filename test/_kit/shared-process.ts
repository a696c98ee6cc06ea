// Decides which test files share a process: many of those that only compute, and a few of those that use a separate database and no other
// resource of the machine.
import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { inGroups } from './in-groups.ts'

/** Files that run in the process of another file, by the path of that file below the root. */
export type Companions = Readonly<Record<string, readonly string[]>>

type Kind = {
  readonly mostInProcess: number
  /** Code that every file of this kind contains. */
  readonly required?: RegExp
  /** Code of a test file that waits, starts something, measures time, or changes what other files of its process see. */
  readonly forbidden: RegExp
  /** Code that neither the file nor the helpers that it imports may contain. */
  readonly forbiddenHelpers: RegExp
}

const computing: Kind = {
  mostInProcess: 30,
  forbidden:
    /test\.(?:serial|before|after)|useServer\(|startServer\(|process\.|mock\.|(?:performance|Date)\.now\(|^(?:const .* = )?await |'node:(?:async_hooks|child_process|http|net|timers|timers\/promises|worker_threads)'/m,
  forbiddenHelpers:
    /'pg'|_kit\/(?:browser|chaos|connected|container|data-dir|db|debian|helm|nats|people-http|pgbouncer|prepared|promtool|relay|serve|service-process|smtp|timescale|young-garbage)/,
}

/** Their tests wait for PostgreSQL most of the time, and in parallel; more files in a process would delay each other. */
const usingDatabases: Kind = {
  mostInProcess: 8,
  forbidden:
    /test\.(?:beforeEach|afterEach)|^useTimescale|t\.timeout|process\.|mock\.|performance\.now\(|^(?:const .* = )?await |'node:(?:async_hooks|child_process|http|net|timers|timers\/promises|worker_threads)'/m,
  forbiddenHelpers:
    /_kit\/(?:browser|chaos|container|data-dir|debian|fastest|helm|nats|pgbouncer|prepared|promtool|relay|serve|service-process|smtp|standstill|timescale|young-garbage)/,
}

/** As the others that use databases, but of the server with TimescaleDB, which then serves the whole process. */
const usingTimescale: Kind = {
  ...usingDatabases,
  mostInProcess: 5,
  required: /^useTimescale\(\)/m,
  forbidden: new RegExp(usingDatabases.forbidden.source.replace('^useTimescale|', ''), 'm'),
}

/** Their tests call a server of the process (test/web/_server.ts), and do not measure how long it takes. */
const serving: Kind = {
  mostInProcess: 5,
  required: /'\.\/_server\.ts'/,
  forbidden:
    /test\.(?:serial\.)?(?:beforeEach|afterEach)|t\.timeout|process\.|mock\.|(?:performance|Date)\.now\(|^(?:const .* = )?await |'node:(?:async_hooks|child_process|worker_threads)'/m,
  forbiddenHelpers: new RegExp(`${computing.forbiddenHelpers.source}|_kit/(?:in-time|standstill)`),
}

/** Their tests start whole services, each with its own state, and wait for them most of the time. */
const usingServices: Kind = {
  mostInProcess: 4,
  required: /startService\(|openScene\(/,
  // Modules that import `_export.ts` register instrumentations, which change the libraries of the whole process.
  forbidden:
    /test\.(?:beforeEach|afterEach)|^useTimescale|t\.timeout|process\.|mock\.|performance\.now\(|^(?:const .* = )?await |'\.\/_export\.ts'|'node:(?:async_hooks|child_process|http|timers|timers\/promises|worker_threads)'/m,
  forbiddenHelpers:
    /_kit\/(?:browser|chaos|container|data-dir|debian|fastest|helm|in-time|nats|pgbouncer|prepared|promtool|relay|service-process|smtp|standstill|timescale|young-garbage)/,
}

/** Their tests render the chart, and block their process meanwhile. */
const rendering: Kind = {
  mostInProcess: 4,
  required: /_kit\/helm\.ts'/,
  forbidden: /test\.(?:before|after)|t\.timeout|process\.(?!pid)|mock\.|^(?:const .* = )?await /m,
  forbiddenHelpers: /_kit\/(?:container|db|debian|promtool|serve|service-process|timescale)/,
}

const relativeImport = /^(?:import|export|\})[^'\n]*'(\.[^']+\.ts)'/gm

type Shared = { readonly files: readonly string[]; readonly companions: Companions }

/** Their tests are serial, so all of them can share one service and one browser, which take as much CPU time to start as ten tests. */
const mostInScene = 24

/** As `shareProcesses`, for the files that share a service and a browser. */
export function shareScenes(root: string, files: readonly string[]): Shared {
  const joining = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('await joinScene('))
  return group(files, inGroups(joining, mostInScene))
}

/**
 * Returns the files to pass to ava and the files that run in their processes. Files of one folder share a process, which load much of the
 * same code; those that would be alone share one with such files of other folders, and so do all that only compute. `files` are paths below
 * the root; their imports from `test` folders are read too.
 */
export function shareProcesses(root: string, files: readonly string[]): Shared {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const share = (kind: Kind, among: readonly string[]): string[][] => {
    const mayShare = (file: string): boolean => {
      const text = read(file)
      // A file may import its tests from another one.
      if (/\.(?:test|soak)\.ts$/.test(file) && kind.forbidden.test(text)) return false
      return !kind.forbiddenHelpers.test(text) && listTestImports(file, text).every(mayShare)
    }
    const isOne = (file: string): boolean => (kind.required?.test(read(file)) ?? true) && mayShare(file)
    const folders = Object.groupBy(among.filter(isOne), (file) => file.split('/').slice(0, 2).join('/'))
    const groups = Object.values(folders).flatMap((shared = []) => inGroups(shared, kind.mostInProcess))
    // Files that wait would be delayed by those of other folders that compute.
    const mayJoin = (one: readonly string[]): boolean => kind === computing || one.length === 1
    return [...groups.filter((one) => !mayJoin(one)), ...joinSmall(groups.filter(mayJoin), kind.mostInProcess)]
  }
  const groups: string[][] = []
  for (const kind of [computing, usingDatabases, usingTimescale, serving, usingServices, rendering]) {
    const taken = new Set(groups.flat())
    const others = files.filter((file) => !taken.has(file))
    groups.push(...share(kind, others))
  }
  return group(files, groups)
}

/** Joins groups as long as they have at most `most` items together. */
function joinSmall(groups: readonly (readonly string[])[], most: number): string[][] {
  const joined: string[][] = []
  for (const one of groups.toSorted((a, b) => b.length - a.length)) {
    const other = joined.find(({ length }) => length + one.length <= most)
    if (other === undefined) joined.push([...one])
    else other.push(...one)
  }
  return joined
}

function group(files: readonly string[], groups: readonly (readonly string[])[]): Shared {
  const shared = groups.filter(({ length }) => length > 1)
  const companions = Object.fromEntries(shared.map(([first = '', ...rest]) => [first, rest]))
  const taken = new Set(Object.values(companions).flat())
  return { files: files.filter((file) => !taken.has(file)), companions }
}

/** Returns the imports of a file from test folders, as paths below the root. */
export const listTestImports = (file: string, text: string): string[] =>
  [...text.matchAll(relativeImport)]
    .map(([, path = '']) => normalize(join(file, '..', path)))
    .filter((path) => /(?:^|\/)test\//.test(path))
