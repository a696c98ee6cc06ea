// Data folders with an empty cluster of PostgreSQL in them, as a first start leaves them: copies of one, which cost a fraction of an initdb.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { startEmbeddedPostgres } from '../../src/store/embedded.ts'
import { makeCacheFolder, makeDataDir } from './data-dir.ts'

export type PreparedClusters = {
  /** Removed when the test has ended. */
  makeDir(t: ExecutionContext): string
  /** Removes what the folders are copies of. */
  remove(): void
}

export async function prepareClusters(): Promise<PreparedClusters> {
  const original = mkdtempSync(join(makeCacheFolder(), 'cluster-'))
  // As root the server runs as another user, who has to get in.
  chmodSync(original, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: original, settings: ['fsync=off'], onLine: () => undefined })
  await server.stop()
  return {
    makeDir(t) {
      const dataDir = makeDataDir(t)
      // With the owner of each file, whom `cpSync` forgets.
      const { status, stderr } = spawnSync('cp', ['-a', `${original}/.`, dataDir], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`the cluster could not be copied: ${stderr}`)
      return dataDir
    },
    remove: () => rmSync(original, { recursive: true, force: true }),
  }
}
