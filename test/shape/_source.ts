// Reads the source tree as text, for tests about its shape.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export type SourceFile = {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Returns every file below the folders with one of the endings, in order of path. */
export function listFiles(folders: readonly string[], endings: readonly string[] = ['.ts']): SourceFile[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort()
    .map((path) => ({ path, text: read(path) }))
}

/** Returns the repository's own files that a file imports or re-exports, as paths from the root. */
export function listOwnImports(file: SourceFile): string[] {
  const targets = [...file.text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g)]
  return targets.map(([, target]) =>
    relative(root, resolve(root, dirname(file.path), target as string))
      .split(sep)
      .join('/'),
  )
}

/** Returns the cells of each row of the first Markdown table after a heading or line. */
export function readTable(markdown: string, after: string): string[][] {
  const from = markdown.slice(Math.max(0, markdown.indexOf(after)))
  const lines = from.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const table = lines.slice(start, lines.findIndex((line, at) => at > start && !line.startsWith('|')) >>> 0)
  return table.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
