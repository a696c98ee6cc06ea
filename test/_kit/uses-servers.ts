// Decides which test files use TimescaleDB or NATS, which `npm test` prepares while other files run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTestImports } from './shared-process.ts'

/** Takes a path below the root. A file uses what the helpers use that it imports. */
export type Uses = (file: string) => boolean

export type ServerUses = {
  readonly usesTimescale: Uses
  readonly usesNats: Uses
  /** Either of the two. */
  readonly usesServer: Uses
}

export function makeServerUses(root: string): ServerUses {
  const usesTimescale = makeUses(root, /^useTimescale\(\)|_kit\/(?:timescale|trixie|image-bases)\.ts'/m)
  const usesNats = makeUses(root, /_kit\/nats\.ts'/)
  return { usesTimescale, usesNats, usesServer: (file) => usesTimescale(file) || usesNats(file) }
}

function makeUses(root: string, pattern: RegExp): Uses {
  const known = new Map<string, boolean>()
  return function isUsing(file) {
    let found = known.get(file)
    if (found === undefined) {
      // Files may import each other.
      known.set(file, false)
      const text = readText(join(root, file))
      found = pattern.test(text) || listTestImports(file, text).some(isUsing)
      known.set(file, found)
    }
    return found
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // ava names a file that cannot be read.
    return ''
  }
}
