// The files of the build, as the scripts behind it look at them.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

export type DistFile = {
  /** Below dist, with slashes. */
  readonly name: string
  readonly path: string
  readonly bytes: Buffer
}

const compressed = /\.(br|gz)$/

/** What the build wrote, without what was compressed from it. */
export function listDistFiles(): readonly DistFile[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !compressed.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: relative(dist, path).split(sep).join('/'), path, bytes: readFileSync(path) }))
}
