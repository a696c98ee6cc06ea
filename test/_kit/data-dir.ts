// A data folder for an embedded PostgreSQL, below the folder of caches.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'

/** Removed when the test has ended. */
export function makeDataDir(t: ExecutionContext): string {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const dataDir = mkdtempSync(join(cache, 'data-'))
  // As root the server runs as another user, who has to get in.
  chmodSync(dataDir, 0o755)
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}
