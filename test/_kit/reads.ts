// The read routes behind a real HTTP server on a separate database, and a client that checks every answer against its schema.
import { randomBytes, randomUUID } from 'node:crypto'
import { inspect, isDeepStrictEqual } from 'node:util'
import { makeDecisionRoutes } from '../../src/decisions/routes.ts'
import { makeMeasurementRoutes } from '../../src/decisions/trials/measurement-routes.ts'
import { makeFindingRoutes } from '../../src/findings/routes.ts'
import { makeObserveRoutes } from '../../src/queries/routes.ts'
import { openRowMemory, type RowMemory } from '../../src/rollups/row-memory.ts'
import { makeUsageRoutes } from '../../src/usage/routes.ts'
import { openCursors } from '../../src/web/page.ts'
import type { Route } from '../../src/web/route.ts'
import { serve } from '../../src/web/server.ts'
import { makeDatabase, type TestDatabase } from './db.ts'

export type ReadAnswer<Body> = { readonly status: number; readonly body: Body }

export type Reads = {
  readonly db: TestDatabase
  readonly rows: RowMemory
  /** Makes a workspace that the caller is a member of, and returns its id. */
  makeWorkspace(plan?: string): Promise<string>
  /** Sends a GET for a path of the workspace. Throws where a 200 does not have exactly the shape of its route's schema. */
  get<Body>(workspaceId: string, path: string, query?: Record<string, string | number>): Promise<ReadAnswer<Body>>
  /** Wakes the requests that wait for a commit of the workspace. */
  notify(workspaceId: string): void
  /** Returns how many requests wait for a commit of the workspace. */
  waiting(workspaceId: string): number
  stop(): Promise<void>
}

/** `nowMs`: the clock of the routes. Starts database and server. Every request has the session of one member; the member has access only to workspaces of makeWorkspace. */
export async function openReads(nowMs: () => number = Date.now): Promise<Reads> {
  const db = await makeDatabase()
  const members = new Set<string>()
  const sleepers = new Set<{ workspaceId: string; wake: () => void }>()
  const commits = {
    wait: (workspaceId: string, signal: AbortSignal, timeoutMs: number): Promise<void> =>
      new Promise((done) => {
        const wake = (): void => {
          clearTimeout(timer)
          sleepers.delete(sleeper)
          done()
        }
        const sleeper = { workspaceId, wake }
        const timer = setTimeout(wake, timeoutMs)
        sleepers.add(sleeper)
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
  const cursors = openCursors([randomBytes(32)], nowMs)
  const rows = openRowMemory({ maxBytes: 8 * 1_048_576, onRead: () => undefined })
  const routes = [
    ...makeObserveRoutes({ db: db.db, control: db.db, rows, cursors, commits, nowMs }),
    ...makeUsageRoutes({ db: db.db, nowMs }),
    ...makeDecisionRoutes({ db: db.db, control: db.db, publishRules: () => undefined }),
    ...makeMeasurementRoutes({ db: db.db, cursors }),
    ...makeFindingRoutes({ db: db.db, control: db.db, cursors }),
  ]
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes,
    authenticator: {
      session: (token) => Promise.resolve(token === 'member' ? { userId: 'member', sessionId: 'one' } : null),
      key: () => Promise.resolve(null),
      role: (_userId, workspaceId) => Promise.resolve(members.has(workspaceId) ? 'viewer' : null),
    },
    maxJsonBodyBytes: 1_024,
    trustedProxies: 0,
    onRequest: ({ error }) => {
      if (error !== undefined) process.stderr.write(`${inspect(error)}\n`)
    },
  })

  return {
    db,
    rows,
    makeWorkspace: async (plan = 'self_hosted') => {
      const id = randomUUID()
      const orgId = randomUUID()
      await db.query('insert into orgs (id, name) values ($1, $2)', [orgId, 'org'])
      await db.query('insert into workspaces (id, org_id, name, plan, redaction_secret) values ($1, $2, $3, $4, $5)', [
        id,
        orgId,
        'workspace',
        plan,
        randomBytes(32),
      ])
      members.add(id)
      return id
    },
    get: async <Body>(
      workspaceId: string,
      path: string,
      query: Record<string, string | number> = {},
    ): Promise<ReadAnswer<Body>> => {
      const url = new URL(`http://127.0.0.1:${server.port}/v1/workspaces/${workspaceId}/${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
      const response = await fetch(url, { headers: { authorization: 'Bearer member' } })
      const body = await response.json()
      if (response.status === 200) checkShape(routes, url.pathname, body)
      return { status: response.status, body: body as Body }
    },
    notify: (workspaceId) => {
      for (const sleeper of sleepers) if (sleeper.workspaceId === workspaceId) sleeper.wake()
    },
    waiting: (workspaceId) => [...sleepers].filter((sleeper) => sleeper.workspaceId === workspaceId).length,
    stop: async () => {
      await server.stop(1_000)
      await db.stop()
    },
  }
}

/** Checks an answer. A schema removes unknown fields, so an answer that is unchanged by parsing has no extra field either. */
function checkShape(routes: readonly Route[], path: string, body: unknown): void {
  const found = routes.find((route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
  if (found?.kind !== 'json' || found.response === null) throw new Error(`no route answers ${path}`)
  const parsed = found.response.parse(body)
  if (!isDeepStrictEqual(parsed, body)) throw new Error(`the answer of ${path} has fields that its schema lacks`)
}
