// Which test files may share a process: those that only compute.
import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'

/** Files that come along with another one, by the path of that below the root. */
export type Companions = Readonly<Record<string, readonly string[]>>

const mostInProcess = 14
/** What waits, listens, starts something, measures time, or changes what the others of its process see. */
const needsOwnProcess =
  /test\.(?:serial|before|after)|process\.|mock\.|(?:performance|Date)\.now\(|^(?:const .* = )?await |'node:(?:async_hooks|child_process|http|net|timers|timers\/promises|worker_threads)'/m
const opensSomething =
  /'pg'|_kit\/(?:browser|chaos|connected|container|data-dir|db|debian|helm|nats|people-http|pgbouncer|prepared|promtool|relay|serve|service-process|smtp|timescale)/
const relativeImport = /from '(\.[^']+\.ts)'/g

/**
 * The files that ava is told, and what comes along with them. Files of one folder share a process. Give files below the root; those
 * in `test` folders are read along with what they import there.
 */
export function shareProcesses(
  root: string,
  files: readonly string[],
): { readonly files: readonly string[]; readonly companions: Companions } {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const opens = (file: string): boolean => {
    const text = read(file)
    return opensSomething.test(text) || listTestImports(file, text).some(opens)
  }
  const mayShare = (file: string): boolean => !needsOwnProcess.test(read(file)) && !opens(file)
  const folders = Object.groupBy(files.filter(mayShare), (file) => file.split('/').slice(0, 2).join('/'))
  const companions = Object.fromEntries(
    Object.values(folders)
      .flatMap((shared) => inGroups(shared ?? []))
      .filter((group) => group.length > 1)
      .map(([first = '', ...others]) => [first, others]),
  )
  const others = new Set(Object.values(companions).flat())
  return { files: files.filter((file) => !others.has(file)), companions }
}

function inGroups(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / mostInProcess)
  return Array.from({ length: count }, (_, nth) => files.slice(nth * mostInProcess, (nth + 1) * mostInProcess))
}

/** What a file imports from folders of tests, as paths below the root. */
const listTestImports = (file: string, text: string): string[] =>
  [...text.matchAll(relativeImport)]
    .map(([, path = '']) => normalize(join(file, '..', path)))
    .filter((path) => /(?:^|\/)test\//.test(path))
