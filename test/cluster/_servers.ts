// The servers of a local cluster: TimescaleDB as the tests find or make one, otherwise the embedded PostgreSQL; and NATS.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { startTimescale } from '../_kit/timescale.ts'

export type LocalDatabase = { readonly name: string; readonly url: string; stop(): Promise<void> }

/** Resolves when the database is migrated and ready; it is removed with the cluster. `onWord` is called if there is no TimescaleDB. */
export async function startLocalDatabase(onWord: (line: string) => void): Promise<LocalDatabase> {
  const database = await startAny(onWord)
  try {
    await migrate(database.url)
  } catch (error) {
    await database.stop()
    throw error
  }
  return database
}

async function startAny(onWord: (line: string) => void): Promise<LocalDatabase> {
  try {
    const server = await startTimescale(['max_connections=200', 'shared_buffers=256MB'])
    return { name: 'TimescaleDB', ...server }
  } catch (error) {
    onWord(`Embedded PostgreSQL instead of TimescaleDB. ${(error as Error).message}`)
    return await startPlainDatabase()
  }
}

/** Starts the embedded PostgreSQL in a folder that is removed with it. */
export async function startPlainDatabase(
  settings: readonly string[] = ['max_connections=200'],
): Promise<LocalDatabase> {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'cluster-'))
  // As root, the server runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    settings,
    onLine: () => undefined,
  }).catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    name: 'embedded PostgreSQL',
    url: server.url('postgres'),
    async stop() {
      await server.stop()
      remove()
    },
  }
}
