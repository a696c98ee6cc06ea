// Floor 4. The web page of a front, from the folder that its build leaves.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeBuild } from '../dashboard/build.ts'
import { type Dashboard, openDashboard } from '../dashboard/open.ts'
import type { Parts } from './parts.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Null where the settings want none. */
export async function openPage({ config, log }: Parts): Promise<Dashboard | null> {
  if (config.DASHBOARD === 'off') return null
  return await openDashboard({
    folder: join(root, 'dashboard/dist'),
    build: config.DASHBOARD === 'build' ? makeBuild(root) : null,
    onBuilding: () => log.info('building the dashboard, once'),
    onBuilt: (seconds) => log.info({ seconds: Math.round(seconds * 10) / 10 }, 'the dashboard is built'),
    onError: (error) => log.error({ error }, 'the dashboard cannot be served'),
  })
}
