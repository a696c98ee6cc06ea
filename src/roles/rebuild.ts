// The role that recomputes rollups from events and exits; the service may run meanwhile.
import type { Config } from '../config.ts'
import type { CorruptRollup } from '../rollups/corrupt-rollup.ts'
import { workLimits } from '../rollups/open-folding.ts'
import { type RebuildOptions, rebuildAll, rebuildWorkspace } from '../rollups/rebuild.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'
import { withConnection, withDatabase } from './with-database.ts'

/** A signal ends it after the current transaction; the service does the rest. */
export async function runRebuild(config: Config, log: Log): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())
  await withDatabase(config, log, async ({ url }) => {
    await withConnection(url, 'rebuild', log, async (db) => {
      const minutes = await rebuild(config, db, log, stopping.signal)
      log.info({ minutes, isWhole: !stopping.signal.aborted }, 'rebuilt the rollups')
    })
  })
}

async function rebuild(config: Config, db: Database, log: Log, signal: AbortSignal): Promise<number> {
  const onDamage = ({ workspaceId, source, fromMs }: CorruptRollup): void =>
    log.error({ workspaceId, source, from: new Date(fromMs).toISOString() }, 'could not read a rollup')
  const options: RebuildOptions = {
    limits: { ...workLimits, onDamage },
    fromMs: readTime(config.REBUILD_FROM),
    toMs: readTime(config.REBUILD_TO),
    signal,
  }
  if (config.REBUILD_WORKSPACE !== undefined) return await rebuildWorkspace(db, config.REBUILD_WORKSPACE, options)
  return await rebuildAll(db, options, (workspaceId, minutes) =>
    log.info({ workspaceId, minutes }, 'rebuilt the rollups of a workspace'),
  )
}

const readTime = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))
