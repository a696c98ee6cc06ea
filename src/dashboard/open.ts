// The dashboard of a front: built first if that is enabled and due, then read into memory once.
import type { FindPage } from '../web/pages.ts'
import type { Build } from './build.ts'
import { type DashboardState, findPage } from './find-page.ts'
import { readFiles } from './read-files.ts'

export type DashboardOptions = {
  /** The folder of index.html. It need not exist. */
  readonly folder: string
  /** Null: serves the existing files, however old. */
  readonly build: Build | null
  readonly onBuilding: () => void
  readonly onBuilt: (seconds: number) => void
  readonly onError: (error: unknown) => void
}

export type Dashboard = {
  readonly findPage: FindPage
  /** Resolves when no build is running. */
  readonly settled: Promise<void>
  /** Aborts a running build. */
  readonly stop: () => Promise<void>
}

/** Resolves when the files were read, or at once if a build runs: the service does not wait for the build. */
export async function openDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { folder, build, onError } = options
  const stopping = new AbortController()
  let state: DashboardState = { kind: 'building' }
  const read = async (): Promise<void> => {
    state = { kind: 'ready', files: await readFiles(folder) }
  }
  const buildFirst = async (run: Build['run']): Promise<void> => {
    options.onBuilding()
    const startedAtMs = performance.now()
    await run(stopping.signal)
    options.onBuilt((performance.now() - startedAtMs) / 1_000)
    await read()
  }
  const isDue = build !== null && (await build.isDue())
  const settled = (isDue ? buildFirst(build.run) : read()).catch((error: unknown) => {
    state = { kind: 'missing' }
    // Not reported: a user who opens the page gets the notice that it is not built.
    const isUnbuilt = !isDue && (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isUnbuilt && !stopping.signal.aborted) onError(error)
  })
  if (!isDue) await settled
  return {
    findPage: (request) => findPage(state, request),
    settled,
    async stop() {
      stopping.abort()
      await settled
    },
  }
}
