// Data folders with a PostgreSQL cluster: an empty one, as a first start leaves it, or one with the migrated schema. They are copies, which
// cost a fraction of an initdb and all migrations. The originals are made once in a run, by the first test file that needs them.
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { makeDataDir, memoryInFolder } from './data-dir.ts'
import { readVariable } from './db.ts'
import { tryAgain } from './try-again.ts'

type Kind = 'empty' | 'migrated'

export type PreparedClusters = {
  /** Returns a new data directory, which is removed when the test has ended. */
  makeDir(t: ExecutionContext): string
}

export async function prepareClusters(): Promise<PreparedClusters> {
  const original = await findOriginal(readVariable('TEST_RUN_FOLDER'), 'empty')
  return {
    makeDir(t) {
      const dataDir = makeDataDir(t)
      copyFolder(original, dataDir)
      return dataDir
    },
  }
}

/** Fills the data folder of an embedded PostgreSQL. Does nothing outside of `npm test`: the folder is then filled by the first start. */
export async function copyMigratedCluster(dataDir: string): Promise<void> {
  const folder = process.env['TEST_RUN_FOLDER']
  if (folder === undefined) return
  const original = await findOriginal(folder, 'migrated')
  mkdirSync(dataDir, { recursive: true })
  copyFolder(original, dataDir)
}

/** `cp -a` keeps the owner of each file; `cpSync` does not. */
function copyFolder(original: string, dataDir: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', `${original}/.`, dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the cluster could not be copied: ${stderr}`)
}

async function findOriginal(folder: string, kind: Kind): Promise<string> {
  const original = join(folder, kind)
  if (!existsSync(original)) await makeOriginal(original, kind)
  return original
}

async function makeOriginal(original: string, kind: Kind): Promise<void> {
  const unfinished = mkdtempSync(`${original}-`)
  // For root, the server runs as another user, who needs access.
  chmodSync(unfinished, 0o755)
  const options = { dataDir: unfinished, settings: ['fsync=off'], onLine: () => undefined }
  const server = await tryAgain(async () => await startEmbeddedPostgres(options))
  try {
    if (kind === 'migrated') await migrate(server.url('postgres'))
  } finally {
    await server.stop()
  }
  appendFileSync(join(unfinished, 'postgres', 'postgresql.conf'), `\n${memoryInFolder}\n`)
  try {
    renameSync(unfinished, original)
  } catch (error) {
    // Another test file may have made it meanwhile.
    if (!existsSync(original)) throw error
    rmSync(unfinished, { recursive: true })
  }
}
