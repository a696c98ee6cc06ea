// A service and a browser, which the test files of a process share: each of them has its own user, organization and workspace.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { launchBrowser, type TestBrowser } from '../_kit/browser.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import type { Companions } from '../_kit/shared-process.ts'

export type Service = Omit<TestService, 'stop'>

type Scene<Prepared> = {
  /** As the user of this file sees it. */
  readonly service: Service
  readonly browser: Omit<TestBrowser, 'stop'>
  readonly prepared: Prepared
  /** To be called once, at the end of the file. */
  readonly stop: () => Promise<void>
}

/**
 * The gate of the service is idle: only what a test requests is measured. The service looks for quiet traces four times in `SETTLE_QUIET_MS`,
 * all the time: with the 50 ms of other tests it would use 4 % of a core more.
 */
const settings = { OPTIMIZER_INTERVAL_S: 3_600, OPTIMIZER_TICK_S: 86_400, SETTLE_QUIET_MS: 400 }

const root = fileURLToPath(new URL('../../', import.meta.url))
const companions = JSON.parse(process.env['TEST_COMPANIONS'] ?? '{}') as Companions
const files = 1 + (companions[relative(root, fileURLToPath(test.meta.file))]?.length ?? 0)

let started: Promise<readonly [TestService, TestBrowser]> | null = null
const allReady = Promise.withResolvers<void>()
let ready = 0
let stopped = 0

/**
 * Starts the service and the browser unless another file of the process has, and prepares what this file needs. Resolves for all files at
 * once, since ava accepts tests only until it starts the first one.
 */
export async function joinScene<Prepared = void>(
  prepare: (service: Service) => Promise<Prepared> = async () => undefined as Prepared,
): Promise<Scene<Prepared>> {
  const isFirst = started === null
  started ??= Promise.all([startService(settings), launchBrowser()])
  const [running, browser] = await started
  const service = isFirst ? running : running.seenBy(await running.signUp())
  const prepared = await prepare(service)
  ready += 1
  if (ready === files) allReady.resolve()
  await allReady.promise
  return {
    service,
    browser,
    prepared,
    async stop() {
      stopped += 1
      if (stopped < files) return
      await browser.stop()
      await running.stop()
    },
  }
}
