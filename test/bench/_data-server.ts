// The servers that hold large data sets, in folders that outlive the bench: the embedded PostgreSQL, or TimescaleDB in its own root file
// system.
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { startTrixieCluster } from '../_kit/timescale.ts'
import { prepareTrixie } from '../_kit/trixie.ts'
import type { Size } from './_data-shape.ts'

export const engines = ['plain', 'timescale'] as const
export type Engine = (typeof engines)[number]
export type DataServer = { readonly url: string; stop(): Promise<void> }

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))

// A set that is lost in a power cut is made again. There is one loading connection for each core, and no replica.
const loading = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'checkpoint_timeout=1h',
  'shared_buffers=1GB',
  'maintenance_work_mem=1GB',
  'autovacuum=off',
]

// The settings that the service starts its own server with, so that both engines have the same.
const serving = ['shared_buffers=256MB', 'max_wal_size=4GB', 'max_connections=100']

/** Returns the folder of a set; that of TimescaleDB lies in the root that its server sees. */
export const folderOf = (engine: Engine, size: Size): string =>
  engine === 'plain' ? join(cache, `bench-data-plain-${size}`) : join(cache, 'trixie/srv', `bench-data-${size}`)

/** Resolves when the server is ready; the folder is created if it does not exist, and is kept. */
export async function startDataServer(engine: Engine, size: Size, purpose: 'loading' | 'serving'): Promise<DataServer> {
  const settings = purpose === 'loading' ? loading : serving
  if (engine === 'timescale') {
    const root = await prepareTrixie()
    return await startTrixieCluster({ root, name: `bench-data-${size}`, settings, keep: true })
  }
  const folder = folderOf(engine, size)
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o755 })
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder, settings, onLine: () => undefined })
  return { url: server.url('postgres'), stop: server.stop }
}
