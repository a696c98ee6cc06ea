// Decides which test files use TimescaleDB or NATS, which `npm test` prepares while other files run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTestImports } from './shared-process.ts'

const uses = /^useTimescale\(\)|_kit\/(?:nats|timescale|trixie|image-bases)\.ts'/m

/** For paths below the root. A file uses what the helpers use that it imports. */
export function makeUsesServers(root: string): (file: string) => boolean {
  const known = new Map<string, boolean>()
  return function isUsing(file) {
    let found = known.get(file)
    if (found === undefined) {
      // Files may import each other.
      known.set(file, false)
      const text = readFileSync(join(root, file), 'utf8')
      found = uses.test(text) || listTestImports(file, text).some(isUsing)
      known.set(file, found)
    }
    return found
  }
}
