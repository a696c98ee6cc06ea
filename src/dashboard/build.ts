// Builds the dashboard for newcomers and developers; an image already contains the built dashboard.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from './find-page.ts'

export type Build = {
  /** Whether the built page is missing or older than its sources. */
  isDue(): Promise<boolean>
  /** Throws with the last lines of its output if the build fails. The signal ends it. */
  run(signal: AbortSignal): Promise<void>
}

const keptCharacters = 2_000

/** `root` is the folder with package.json and `dashboard/`. Without the sources of the dashboard, no build is ever due. */
export function makeBuild(root: string): Build {
  return {
    async isDue() {
      const sourceMs = await findNewestMs(join(root, 'dashboard'))
      return sourceMs > (await readModifiedMs(join(root, 'dashboard/dist/index.html')))
    },
    async run(signal) {
      const [command = '', ...args] = buildCommand.split(' ')
      const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal })
      let output = ''
      const keep = (data: Buffer): void => void (output = (output + data.toString()).slice(-keptCharacters))
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0) throw new Error(`\`${buildCommand}\` failed: ${output.trim()}`)
    },
  }
}

/** Entries that are not sources, besides hidden files: build output, packages and tests. */
const others = new Set(['dist', 'node_modules', 'test'])

/** Returns when the newest file below the folder was changed, in ms; -Infinity if there is none. */
async function findNewestMs(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(whereMissing([]))
  const times = entries.map(async (entry) => {
    if (others.has(entry.name) || entry.name.startsWith('.')) return Number.NEGATIVE_INFINITY
    const path = join(folder, entry.name)
    return entry.isDirectory() ? await findNewestMs(path) : await readModifiedMs(path)
  })
  return Math.max(...(await Promise.all(times)))
}

const readModifiedMs = async (path: string): Promise<number> =>
  (await stat(path).catch(whereMissing({ mtimeMs: Number.NEGATIVE_INFINITY }))).mtimeMs

const whereMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value
    throw error
  }
