// Builds the dashboard for newcomers and developers; an image already contains the built dashboard.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { sendSignal } from '../base/send-signal.ts'
import { buildCommand } from './find-page.ts'

export type Build = {
  /** Whether the built page is missing, incomplete or older than its sources. */
  isDue(): Promise<boolean>
  /** Throws with the last lines of its output if the build fails. The signal ends all of its processes. */
  run(signal: AbortSignal): Promise<void>
}

/** Written by `dashboard/scripts/compress.ts` after all others: without it, the build was interrupted. */
const lastFile = 'dashboard/dist/index.html.gz'
const keptCharacters = 2_000

/** `root` is the folder with package.json and `dashboard/`. Without the sources of the dashboard, no build is ever due. */
export function makeBuild(root: string): Build {
  return {
    async isDue() {
      const sourceMs = await findNewestMs(join(root, 'dashboard'))
      return sourceMs > (await readModifiedMs(join(root, lastFile)))
    },
    async run(signal) {
      const [command = '', ...args] = buildCommand.split(' ')
      signal.throwIfAborted()
      // In its own process group: npm passes a signal on to the shell alone, and the programs of the build would go on.
      const isGroup = platform() !== 'win32'
      const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: isGroup })
      const end = (): void => {
        if (isGroup && child.pid !== undefined) sendSignal(-child.pid, 'SIGTERM')
        else child.kill()
      }
      signal.addEventListener('abort', end)
      process.once('exit', end)
      let output = ''
      const keep = (data: Buffer): void => void (output = (output + data.toString()).slice(-keptCharacters))
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      const [code] = (await once(child, 'close').finally(() => {
        signal.removeEventListener('abort', end)
        process.off('exit', end)
      })) as [number | null]
      signal.throwIfAborted()
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
