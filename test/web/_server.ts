// A server with a handful of test routes, and a socket for requests that fetch would not send.
import { connect } from 'node:net'
import test from 'ava'
import { z } from 'zod'
import { Outage } from '../../src/base/fault.ts'
import { ok, refuse } from '../../src/base/outcome.ts'
import type { Authenticator } from '../../src/web/authenticate.ts'
import type { EndedBy } from '../../src/web/connections.ts'
import { type Route, route } from '../../src/web/route.ts'
import { type RequestReport, type ServeOptions, serve } from '../../src/web/server.ts'
import {
  booleanParam,
  intParam,
  limitParam,
  offsetParam,
  timestamp,
  trimmedText,
  uuid,
  workspaceParams,
} from '../../src/web/shapes.ts'

export const workspaceId = '01890000-0000-7000-8000-000000000001'
export const sessionToken = 'session-token'
export const keyToken = 'key-token'

/** Knows one session, one key, and one workspace in which the session is a viewer. */
export const authenticator: Authenticator = {
  session: async (token) => (token === sessionToken ? { userId: 'user', sessionId: 'session' } : null),
  key: async (token) => (token === keyToken ? { keyId: 'key', workspaceId } : null),
  role: async (_userId, id) => (id === workspaceId ? 'viewer' : null),
}

const common = { tag: 'Test', summary: 'Test' }

/** The routes that tests call; `slow` is answered when its promise resolves. */
export function makeRoutes(
  slow: () => Promise<void> = async () => undefined,
  onParked: () => void = () => undefined,
): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/query',
      auth: 'none',
      query: z.object({
        limit: limitParam,
        offset: offsetParam,
        needed: z.string(),
        id: uuid.optional(),
        at: timestamp.optional(),
        flag: booleanParam.optional(),
        small: intParam(-5, 5).optional(),
        state: z.enum(['open', 'shut']).optional(),
      }),
      status: 200,
      response: z.unknown(),
      handle: async ({ query }) => ok(query),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/body',
      auth: 'none',
      body: z.object({
        name: trimmedText(1, 10),
        count: z.int().min(1).optional(),
        tags: z.array(z.string()).max(2).optional(),
        password: z.string().min(12).optional(),
        nested: z.object({ deep: z.boolean() }).optional(),
      }),
      status: 201,
      response: z.unknown(),
      handle: async ({ body }) => ok(body),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/v1/workspaces/{workspace_id}/thing',
      auth: 'session',
      role: 'viewer',
      params: workspaceParams,
      query: z.object({ limit: limitParam }),
      status: 200,
      response: z.object({ ok: z.boolean() }),
      handle: async () => ok({ ok: true }),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/v1/workspaces/{workspace_id}/thing',
      auth: 'session',
      role: 'admin',
      params: workspaceParams,
      status: 204,
      handle: async () => ok(undefined),
    }),
    route({
      ...common,
      method: 'PATCH',
      path: '/things/{name}',
      auth: 'none',
      params: z.object({ name: z.string() }),
      status: 200,
      response: z.unknown(),
      handle: async ({ params }) => ok({ changed: params.name }),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/things/{name}',
      auth: 'none',
      params: z.object({ name: z.string() }),
      status: 200,
      response: z.unknown(),
      handle: async ({ params }) => ok({ name: params.name }),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/things/summary',
      auth: 'none',
      status: 200,
      response: z.unknown(),
      handle: async () => ok({ summary: true }),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/key',
      auth: 'key',
      status: 200,
      response: z.unknown(),
      handle: async () => ok({}),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/slow',
      auth: 'none',
      status: 200,
      response: z.unknown(),
      handle: async () => {
        await slow()
        return ok({ slow: true })
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/parked',
      auth: 'none',
      status: 200,
      response: z.unknown(),
      handle: async ({ request }) => {
        const woken = new Promise<void>((done) =>
          request.signal().addEventListener('abort', () => done(), { once: true }),
        )
        onParked()
        await woken
        return ok({ woken: true })
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/refused',
      auth: 'none',
      status: 200,
      response: z.unknown(),
      refusals: { taken: { status: 409, detail: 'It is taken' } },
      handle: async () => refuse('taken'),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/bug',
      auth: 'none',
      status: 200,
      response: z.unknown(),
      handle: () => Promise.reject(new Error('a secret of the inside')),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/outage',
      auth: 'none',
      status: 200,
      response: z.unknown(),
      handle: () => Promise.reject(new Outage('failure', 'a secret of the inside', { retryAfterMs: 1_500 })),
    }),
  ]
}

export type TestServer = {
  readonly baseUrl: string
  readonly port: number
  readonly reports: RequestReport[]
  /** The reasons why connections were ended. */
  readonly ended: EndedBy[]
  stop(deadlineMs?: number): Promise<void>
}

/**
 * Starts a server before the first test of the file and stops it after the last one: a file that awaits one before it declares its tests
 * could not share a process with others. Nothing of it can be read before.
 */
export function useServer(...options: Parameters<typeof startServer>): TestServer {
  const server = {} as TestServer
  test.before(async () => void Object.assign(server, await startServer(...options)))
  test.after.always(async () => await server.stop())
  return server
}

export async function startServer(
  routes: Route[] = makeRoutes(),
  maxJsonBodyBytes = 65_536,
  more: Pick<ServeOptions, 'timeouts' | 'connectionsPerAddress' | 'fastPath' | 'corsOrigins' | 'findPage'> = {},
): Promise<TestServer> {
  const reports: RequestReport[] = []
  const ended: EndedBy[] = []
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes,
    authenticator,
    maxJsonBodyBytes,
    trustedProxies: 0,
    onRequest: (report) => void reports.push(report),
    onConnectionEnded: (by) => void ended.push(by),
    ...more,
  })
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    port: server.port,
    reports,
    ended,
    stop: async (deadlineMs = 5_000) => await server.stop(deadlineMs),
  }
}

/** Sends bytes unchanged, and returns everything received until the server closes. Rejects after `deadlineMs`. */
export function sendRaw(port: number, bytes: string | Uint8Array, deadlineMs = 90_000): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      fail(new Error('the server did not close the connection'))
    }, deadlineMs)
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
    // A server that refuses may close while the client still writes.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      done(answer)
    })
    socket.write(bytes)
  })
}
