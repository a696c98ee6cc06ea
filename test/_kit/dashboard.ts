// The dashboard for the tests: built as its users get it, served by a whole service that holds the traces of the demo's fleet.
import { fileURLToPath } from 'node:url'
import { makeBuild } from '../../src/dashboard/build.ts'
import { tellHistory } from '../demo/history.ts'
import { exportSpans } from '../demo/interface.ts'
import { startService, type TestService } from './serve.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const buildDeadlineMs = 180_000
const minuteMs = 60_000

/** Some seconds, where there is none or an old one. Throws what the build complains of. */
export async function buildDashboard(): Promise<void> {
  const build = makeBuild(root)
  if (await build.isDue()) await build.run(AbortSignal.timeout(buildDeadlineMs))
}

/** Its owner's workspace holds so many runs of the last days, settled. */
export async function startWithFleet(
  traces: number,
  settings: Record<string, string | number> = {},
): Promise<TestService> {
  const service = await startService(settings)
  // A run lasts some minutes at most: none reaches into the future.
  const endMs = Math.floor(Date.now() / minuteMs - 4) * minuteMs
  for (const { body } of tellHistory({ seed: 1, traces, days: 6, endMs })) {
    const { rejected, message } = await exportSpans(service.baseUrl, service.key, body)
    if (rejected > 0) throw new Error(`spans of the fleet were rejected: ${message}`)
  }
  await service.settled()
  return service
}
