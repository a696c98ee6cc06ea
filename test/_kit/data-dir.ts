// A data folder for an embedded PostgreSQL, below the folder of caches.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of caches, which is there then. */
export function makeCacheFolder(): string {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  return cache
}

/** Removed when the test has ended. */
export function makeDataDir(t: { teardown(end: () => void): void }): string {
  const dataDir = mkdtempSync(join(makeCacheFolder(), 'data-'))
  // As root the server runs as another user, who has to get in.
  chmodSync(dataDir, 0o755)
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}
