// A whole service in this process, on a separate database, with a user, a workspace and a key.
import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '../../src/config.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { makeDatabase } from './db.ts'
import { toEnvironment } from './environment.ts'
import { startAll } from './start-all.ts'
import { until } from './until.ts'

export type TestService = {
  readonly baseUrl: string
  readonly metricsPort: number
  readonly databaseUrl: string
  readonly email: string
  readonly password: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly orgId: string
  readonly workspaceId: string
  /** API key of the workspace. */
  readonly key: string
  /** Calls the API with the session token (or another credential) and returns status, headers and parsed body. */
  call(method: string, path: string, options?: ServiceCallOptions): Promise<CallResult>
  /** Adds a user with an org, a workspace and a key. */
  signUp(): Promise<Tenant>
  /** Adds a workspace of the first user, with a key. Use it instead of a further user where only data is separate: it hashes no password. */
  addWorkspace(): Promise<Tenant>
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Resolves when all traces of the workspace are settled. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export type Tenant = Pick<
  TestService,
  'email' | 'password' | 'accessToken' | 'refreshToken' | 'orgId' | 'workspaceId' | 'key'
>

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

/** Starts the service. `overrides`: settings by their names without the prefix. */
export async function startService(overrides: Record<string, string | number> = {}): Promise<TestService> {
  const database = await makeDatabase()
  const settings = {
    PORT: 0,
    METRICS_PORT: 0,
    SETTLE_QUIET_MS: 50,
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
  const running = await startAll(config, makeLog(config.LOG_LEVEL), (reason) => {
    throw new Error(`the service under test gave up: ${reason}`)
  })
  const baseUrl = `http://127.0.0.1:${running.port}`

  async function call(method: string, path: string, options: ServiceCallOptions = {}): Promise<CallResult> {
    const token = options.token === undefined ? owner.accessToken : options.token
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

  async function signUp(): Promise<Tenant> {
    const email = `${randomBytes(6).toString('hex')}@example.com`
    const password = randomBytes(12).toString('base64url')
    const session = (await call('POST', '/v1/auth/signup', { token: null, body: { email, password } })).json as {
      access_token: string
      refresh_token: string
      org: { id: string }
    }
    const token = session.access_token
    const workspaces = (await call('GET', '/v1/workspaces', { token })).json as { id: string }[]
    const workspaceId = workspaces[0]?.id ?? ''
    return {
      email,
      password,
      accessToken: token,
      refreshToken: session.refresh_token,
      orgId: session.org.id,
      workspaceId,
      key: await mintKey(workspaceId, token),
    }
  }

  async function mintKey(workspaceId: string, token: string): Promise<string> {
    const body = { workspace_id: workspaceId, name: 'test' }
    return ((await call('POST', '/v1/keys', { token, body })).json as { api_key: string }).api_key
  }

  async function addWorkspace(): Promise<Tenant> {
    const { id } = (await call('POST', '/v1/workspaces', { body: { name: 'one more' } })).json as { id: string }
    return { ...owner, workspaceId: id, key: await mintKey(id, owner.accessToken) }
  }

  let owner = { accessToken: '' } as Tenant
  owner = await signUp()
  return {
    ...owner,
    baseUrl,
    metricsPort: running.metricsPort,
    databaseUrl: database.url,
    call,
    signUp,
    addWorkspace,
    query: database.query,
    async settled() {
      await until(async () => {
        const [row] = await database.query<{ left: number }>(
          'select count(*)::int as left from traces where workspace_id = $1 and not settled',
          [owner.workspaceId],
        )
        return row?.left === 0
      })
    },
    async stop() {
      await running.stop()
      await database.stop()
    },
  }
}
