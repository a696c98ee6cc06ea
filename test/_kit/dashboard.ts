// The dashboard for the tests: built as its users get it, served by a whole service that holds the traces of the demo's fleet.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tellHistory } from '../demo/history.ts'
import { exportSpans } from '../demo/interface.ts'
import { startService, type TestService } from './serve.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const buildDeadlineMs = 180_000
const minuteMs = 60_000

/** Some seconds. Throws what the build complains of. */
export function buildDashboard(): void {
  const args = ['run', 'build', '--workspace', 'dashboard', '--silent']
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    timeout: buildDeadlineMs,
    killSignal: 'SIGKILL',
  })
  if (status !== 0)
    throw new Error(`The build of the dashboard failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
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
