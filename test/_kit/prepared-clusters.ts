// Data folders with an empty PostgreSQL cluster, as a first start leaves it. They are copies, which cost a fraction of an initdb. The
// original is made once in a run, by the first test file that needs it.
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { makeDataDir, memoryInFolder } from './data-dir.ts'
import { readVariable } from './db.ts'
import { tryAgain } from './try-again.ts'

export type PreparedClusters = {
  /** Returns a new data directory, which is removed when the test has ended. */
  makeDir(t: ExecutionContext): string
}

export async function prepareClusters(): Promise<PreparedClusters> {
  const original = join(readVariable('TEST_RUN_FOLDER'), 'cluster')
  if (!existsSync(original)) await makeOriginal(original)
  return {
    makeDir(t) {
      const dataDir = makeDataDir(t)
      // `cp -a` keeps the owner of each file; `cpSync` does not.
      const { status, stderr } = spawnSync('cp', ['-a', `${original}/.`, dataDir], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`the cluster could not be copied: ${stderr}`)
      return dataDir
    },
  }
}

async function makeOriginal(original: string): Promise<void> {
  const unfinished = mkdtempSync(`${original}-`)
  // For root, the server runs as another user, who needs access.
  chmodSync(unfinished, 0o755)
  const options = { dataDir: unfinished, settings: ['fsync=off'], onLine: () => undefined }
  const server = await tryAgain(async () => await startEmbeddedPostgres(options))
  await server.stop()
  appendFileSync(join(unfinished, 'postgres', 'postgresql.conf'), `\n${memoryInFolder}\n`)
  try {
    renameSync(unfinished, original)
  } catch (error) {
    // Another test file may have made it meanwhile.
    if (!existsSync(original)) throw error
    rmSync(unfinished, { recursive: true })
  }
}
