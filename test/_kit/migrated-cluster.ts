// A PostgreSQL cluster with the migrated schema, for tests that start a server of their own: a copy costs a fraction of an initdb and all
// migrations.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { memoryInFolder } from './data-dir.ts'
import { tryAgain } from './try-again.ts'

/** Fills the data folder of an embedded PostgreSQL. Does nothing outside of `npm test`: the folder is then filled by the first start. */
export async function copyMigratedCluster(dataDir: string): Promise<void> {
  const folder = process.env['TEST_FOLDER']
  if (folder === undefined) return
  const original = join(folder, 'migrated')
  if (!existsSync(original)) await makeOriginal(folder, original)
  mkdirSync(dataDir, { recursive: true })
  // `cp -a` keeps the owner of each file; `cpSync` does not.
  const { status, stderr } = spawnSync('cp', ['-a', `${original}/.`, dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the cluster could not be copied: ${stderr}`)
}

async function makeOriginal(folder: string, original: string): Promise<void> {
  const made = mkdtempSync(join(folder, 'migrating-'))
  // For root, the server runs as another user, who needs access.
  chmodSync(made, 0o755)
  const options = { dataDir: made, settings: ['fsync=off', memoryInFolder], onLine: () => undefined }
  const server = await tryAgain(async () => await startEmbeddedPostgres(options))
  try {
    await migrate(server.url('postgres'))
  } finally {
    await server.stop()
  }
  try {
    renameSync(made, original)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(original)) throw error
    rmSync(made, { recursive: true, force: true })
  }
}
