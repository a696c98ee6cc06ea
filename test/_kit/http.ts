// A server on a free port and a small client. Each 2xx answer must match the response schema of its route.
import type { Authenticator } from '../../src/web/authenticate.ts'
import type { Route } from '../../src/web/route.ts'
import { serve } from '../../src/web/server.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

export type CallOptions = {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly ip?: string
}

export type Http = {
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
  readonly baseUrl: string
  readonly stop: () => Promise<void>
}

/** Starts the server. It trusts one proxy, so that a test can send requests from any address. */
export async function openHttp(routes: readonly Route[], authenticator: Authenticator): Promise<Http> {
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes,
    authenticator,
    maxJsonBodyBytes: 1 << 20,
    trustedProxies: 1,
    onRequest: () => undefined,
  })
  const baseUrl = `http://127.0.0.1:${server.port}`
  return {
    baseUrl,
    call: async (method, path, { token, body, headers = {}, ip = '192.0.2.1' } = {}) => {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          'x-forwarded-for': ip,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const parsed = text === '' ? undefined : (JSON.parse(text) as unknown)
      if (response.ok) checkShape(routes, method, path, parsed)
      return { status: response.status, headers: response.headers, text, body: parsed as Record<string, unknown> }
    },
    stop: async () => await server.stop(1_000),
  }
}

function checkShape(routes: readonly Route[], method: string, path: string, body: unknown): void {
  const steps = path.split('?')[0]?.split('/') ?? []
  const route = routes.find((candidate) => {
    const pattern = candidate.path.split('/')
    const fits = pattern.every((step, at) => step.startsWith('{') || step === steps[at])
    return candidate.method === method && pattern.length === steps.length && fits
  })
  if (route?.kind === 'json' && route.response !== null) route.response.parse(body)
}
