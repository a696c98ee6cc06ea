// The compile cache that the processes of a run share: hundreds of them load the same modules.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const deadlineMs = 60_000
const leave = new URL('./leave.ts', import.meta.url).href
/** What the build of the image runs. */
const warm = join(root, 'deploy/image/warm.ts')

/** Below the root of a source tree. */
export const compileCacheFolder = '.cache/compile'

/**
 * Empty while coverage is measured, which is less precise for functions that come from the cache. Entries are found by the path of a module
 * relative to the cache, so that copies of the tree can share them.
 */
export const compileCache: Readonly<Record<string, string>> =
  process.env['NODE_V8_COVERAGE'] === undefined
    ? { NODE_COMPILE_CACHE: join(root, compileCacheFolder), NODE_COMPILE_CACHE_PORTABLE: '1' }
    : {}

/**
 * Fills the cache, or the one in `folder`, with the service's modules. Processes that are killed write no cache, so the next one would take
 * twice as long to start. Throws where the modules cannot be loaded within a minute.
 */
export async function warmCompileCache(folder?: string): Promise<void> {
  const env = { ...compileCache, ...process.env, ...(folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }) }
  if (env['NODE_COMPILE_CACHE'] === undefined) return
  const child = spawn(process.execPath, [`--import=${leave}`, warm], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the service could not be compiled')
}
