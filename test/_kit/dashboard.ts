// The dashboard for the tests: the production build, and the traces of the demo's fleet.
import { fileURLToPath } from 'node:url'
import { makeBuild } from '../../src/dashboard/build.ts'
import { tellHistory } from '../demo/history.ts'
import { exportSpans } from '../demo/interface.ts'
import type { TestService } from './serve.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const buildDeadlineMs = 180_000
const minuteMs = 60_000

/** Builds the dashboard where the build is missing or out of date; takes some seconds. Throws the errors of the build. */
export async function buildDashboard(): Promise<void> {
  const build = makeBuild(root)
  if (await build.isDue()) await build.run(AbortSignal.timeout(buildDeadlineMs))
}

/** Sends `traces` runs of the last six days to the owner's workspace, and resolves when all are settled. */
export async function sendFleet(
  service: Pick<TestService, 'baseUrl' | 'key' | 'settled'>,
  traces: number,
): Promise<void> {
  // A run lasts some minutes at most, so none ends in the future.
  const endMs = Math.floor(Date.now() / minuteMs - 4) * minuteMs
  for (const { body } of tellHistory({ seed: 1, traces, days: 6, endMs })) {
    const { rejected, message } = await exportSpans(service.baseUrl, service.key, body)
    if (rejected > 0) throw new Error(`spans of the fleet were rejected: ${message}`)
  }
  await service.settled()
}
