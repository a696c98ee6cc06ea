// Data folders with an empty PostgreSQL cluster, as a first start leaves it. They are copies, which cost a fraction of an initdb.
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { makeCacheFolder, makeDataDir, memoryInFolder } from './data-dir.ts'
import { tryAgain } from './try-again.ts'

export type PreparedClusters = {
  /** Returns a new data directory, which is removed when the test has ended. */
  makeDir(t: ExecutionContext): string
  /** Removes the original of the copies. */
  remove(): void
}

export async function prepareClusters(): Promise<PreparedClusters> {
  const original = mkdtempSync(join(makeCacheFolder(), 'cluster-'))
  // For root, the server runs as another user, who needs access.
  chmodSync(original, 0o755)
  const options = { dataDir: original, settings: ['fsync=off'], onLine: () => undefined }
  const server = await tryAgain(async () => await startEmbeddedPostgres(options))
  await server.stop()
  appendFileSync(join(original, 'postgres', 'postgresql.conf'), `\n${memoryInFolder}\n`)
  return {
    makeDir(t) {
      const dataDir = makeDataDir(t)
      // `cp -a` keeps the owner of each file; `cpSync` does not.
      const { status, stderr } = spawnSync('cp', ['-a', `${original}/.`, dataDir], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`the cluster could not be copied: ${stderr}`)
      return dataDir
    },
    remove: () => rmSync(original, { recursive: true, force: true }),
  }
}
