// The rollups of a large data set, made as an operator makes them: by the command, and by the service for what the command leaves to it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { startProcess } from '../_kit/service-process.ts'
import { dataSecret } from './_data-people.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const deadlineMs = 15 * 60_000
const pollMs = 200

/** Counts the events of one workspace into rollups. Resolves when they are complete, and throws if the command fails. */
export async function rebuildRollups(url: string, workspaceId: string, client: pg.Client): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    TRACEWRIGHT_DATABASE_URL: url,
    TRACEWRIGHT_SECRET: dataSecret,
    TRACEWRIGHT_LOG_LEVEL: 'warn',
    TRACEWRIGHT_ROLES: 'rebuild',
    TRACEWRIGHT_REBUILD_WORKSPACE: workspaceId,
  }
  const child = spawn(process.execPath, ['src/main.ts'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env })
  const killer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(killer)
  if (code !== 0) throw new Error(`the rebuild of the rollups ended with ${code ?? 'a signal'}`)
  const service = await startProcess({ DATABASE_URL: url, SECRET: dataSecret, LOG_LEVEL: 'warn' }, deadlineMs)
  try {
    const until = performance.now() + deadlineMs
    while (await hasWork(client)) {
      if (performance.now() > until) throw new Error('the service does not get its rollups done')
      await sleep(pollMs)
    }
  } finally {
    await service.end('SIGTERM')
  }
}

async function hasWork(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>('select exists (select from rollup_work) as has')
  return rows[0]?.has === true
}
