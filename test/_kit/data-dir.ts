// Data folders for an embedded PostgreSQL, below the cache folder.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A setting of PostgreSQL for a server that is killed and whose folder is then removed. The memory that its processes share lies in files of
 * the folder: in /dev/shm, the next server on the same folder would remove them, and there is none.
 */
export const memoryInFolder = 'dynamic_shared_memory_type=mmap'

/** Creates the cache folder if it is missing, and returns its path. */
export function makeCacheFolder(): string {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  return cache
}

/** Returns a new folder, which is removed when the test has ended. */
export function makeDataDir(t: { teardown(end: () => void): void }): string {
  const dataDir = mkdtempSync(join(makeCacheFolder(), 'data-'))
  // For root, the server runs as another user, who needs access.
  chmodSync(dataDir, 0o755)
  // A killed server's processes write for a moment longer, hence the retries.
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  return dataDir
}
