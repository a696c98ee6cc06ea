// A whole service in this process, on a separate database, with a user, a workspace and a key.
import { randomBytes } from 'node:crypto'
import { accessTokenS } from '../../src/accounts/session/access-token.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Running } from '../../src/roles/all.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { makeDatabase } from './db.ts'
import { toEnvironment } from './environment.ts'
import { callAccepted, mintKey, signUp, type Tenant } from './sign-up.ts'
import { startAll } from './start-all.ts'
import { until } from './until.ts'

export type TestService = Tenant & {
  readonly baseUrl: string
  readonly metricsPort: number
  readonly databaseUrl: string
  /** Calls the API with the session token (or another credential) and returns status, headers and parsed body. */
  call(method: string, path: string, options?: ServiceCallOptions): Promise<CallResult>
  /** Returns an access token that does not expire soon: the files of a process may take longer than one lives. */
  token(): Promise<string>
  /** Adds a user with an org, a workspace and a key. */
  signUp(): Promise<Tenant>
  /** Returns the same service as another user sees it. */
  seenBy(owner: Tenant): Omit<TestService, 'stop'>
  /** Adds a workspace of the first user, with a key. Use it instead of a further user where only data is separate: it hashes no password. */
  addWorkspace(): Promise<Tenant>
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Resolves when all traces of the user's organization are settled. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export type ServiceCallOptions = {
  readonly body?: unknown
  readonly token?: string | null
  readonly headers?: Record<string, string>
}
export type CallResult = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

let lastStart: Promise<unknown> = Promise.resolve()

/** Starts one service of the process at a time: together, they could exceed the time limits of their first connections. */
async function startInTurn(config: Config): Promise<Running> {
  const running = lastStart.then(
    async () =>
      await startAll(config, makeLog(config.LOG_LEVEL), (reason) => {
        throw new Error(`the service under test gave up: ${reason}`)
      }),
  )
  lastStart = running.catch(() => undefined)
  return await running
}

/** Starts the service. `overrides`: settings by their names without the prefix. */
export async function startService(overrides: Record<string, string | number> = {}): Promise<TestService> {
  const database = await makeDatabase()
  const settings = {
    PORT: 0,
    METRICS_PORT: 0,
    // The service looks for quiet traces four times in this time, also while a test waits for something else.
    SETTLE_QUIET_MS: 200,
    AUTH_RATE_LIMITS: 'off',
    // A fifth of the usual time, since tests sign in some hundred times.
    PASSWORD_HASH_MEMORY_MIB: 19,
    LOG_LEVEL: 'silent',
    DECODE_THREADS: 1,
    ...overrides,
  }
  const own = {
    DATABASE_URL: database.urls.service,
    MIGRATE_DATABASE_URL: database.url,
    SECRET: randomBytes(32).toString('base64url'),
  }
  const config: Config = readConfig(toEnvironment({ ...settings, ...own }))
  const running = await startInTurn(config)
  const baseUrl = `http://127.0.0.1:${running.port}`

  async function callAs(
    token: string | null,
    method: string,
    path: string,
    options: ServiceCallOptions = {},
  ): Promise<CallResult> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const text = await response.text()
    // A stream of lines is not JSON.
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : null,
    }
  }

  function seenBy(owner: Tenant): Omit<TestService, 'stop'> {
    const token = keepToken(owner, async (refreshToken) => {
      const body = { refresh_token: refreshToken }
      return await callAccepted(baseUrl, '/v1/auth/refresh', null, body)
    })
    const call: TestService['call'] = async (method, path, options = {}) =>
      await callAs(options.token === undefined ? await token() : options.token, method, path, options)
    return {
      ...owner,
      baseUrl,
      metricsPort: running.metricsPort,
      databaseUrl: database.url,
      call,
      token,
      signUp: async () => await signUp(baseUrl),
      seenBy,
      query: database.query,
      async addWorkspace() {
        const body = { name: 'one more' }
        const { id } = await callAccepted<{ id: string }>(baseUrl, '/v1/workspaces', await token(), body)
        return { ...owner, workspaceId: id, key: await mintKey(baseUrl, id, await token()) }
      },
      async settled() {
        const unsettled = `select 1 from traces t join workspaces w on w.id = t.workspace_id
          where w.org_id = $1 and not t.settled limit 1`
        await until(async () => (await database.query(unsettled, [owner.orgId])).length === 0)
      },
    }
  }

  return {
    ...seenBy(await signUp(baseUrl)),
    async stop() {
      await running.stop()
      await database.stop()
    },
  }
}

type Refresh = (refreshToken: string) => Promise<{ readonly access_token: string; readonly refresh_token: string }>

/** Returns a function that returns the access token of a user, and refreshes it in time. */
function keepToken({ accessToken, refreshToken }: Tenant, refresh: Refresh): () => Promise<string> {
  const hold = (access: string, next: string) => ({
    access,
    next,
    renewAtMs: performance.now() + (accessTokenS * 1_000) / 2,
  })
  const renew = async (before: string) => {
    const { access_token: access, refresh_token: next } = await refresh(before)
    return hold(access, next)
  }
  let held = Promise.resolve(hold(accessToken, refreshToken))
  return async () => {
    const { next, renewAtMs } = await held
    if (performance.now() > renewAtMs) held = renew(next)
    return (await held).access
  }
}
