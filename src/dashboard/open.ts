// The dashboard as the front sees it: read once, after it was built where that is asked for.
import type { FindPage } from '../web/pages.ts'
import type { Build } from './build.ts'
import { type DashboardState, findPage } from './find-page.ts'
import { readFiles } from './read-files.ts'

export type DashboardOptions = {
  /** With index.html. It need not be there. */
  readonly folder: string
  /** Null: what is there is served, however old. */
  readonly build: Build | null
  readonly onBuilding: () => void
  readonly onBuilt: (seconds: number) => void
  readonly onError: (error: unknown) => void
}

export type Dashboard = {
  readonly findPage: FindPage
  /** Resolves when no build is under way. */
  readonly settled: Promise<void>
  /** Ends a build. */
  readonly stop: () => Promise<void>
}

/** Resolves when what is there was read, or while a build runs: the service does not wait for that. */
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
    // The notice tells whoever looks for the page that nobody has built it.
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
