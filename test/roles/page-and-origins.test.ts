// The settings of the web page and of other origins, as the running service applies them.
import test from 'ava'
import { startService } from '../_kit/serve.ts'

const friend = 'https://tools.example.com'
const service = await startService({ DASHBOARD: 'off', CORS_ORIGINS: `http://localhost:5173, ${friend}` })
test.after.always(async () => await service.stop())

const html = { accept: 'text/html' }

test('a service that is to serve no page answers browsers as everybody', async (t) => {
  for (const path of ['/', '/sign-in', '/assets/app.js']) {
    const { status, json } = await service.call('GET', path, { headers: html })
    t.is(status, 404)
    t.deepEqual(json, { detail: 'Not found' })
  }
})

test('an origin that is listed reads what a session may, and nothing that takes a key', async (t) => {
  const headers = { origin: friend }
  const allowed = async (path: string, options: object = {}): Promise<string | null> =>
    (await service.call('GET', path, { headers, ...options })).headers.get('access-control-allow-origin')
  t.is(await allowed(`/v1/workspaces/${service.workspaceId}/traces`), friend)
  t.is(await allowed(`/v1/workspaces/${service.workspaceId}/traces`, { token: null }), friend, 'refusals too')
  t.is(await allowed('/v1/meta', { token: null }), friend)
  t.is(await allowed('/v1/apply/rules', { token: service.key }), null)
  t.is((await service.call('GET', '/openapi.json', { headers })).headers.get('vary'), 'Accept-Encoding, Origin')
  const preflight = await service.call('OPTIONS', '/v1/auth/refresh', {
    token: null,
    headers: { ...headers, 'access-control-request-method': 'POST' },
  })
  t.is(preflight.status, 204)
  t.false((preflight.headers.get('access-control-allow-headers') ?? '').includes('x-tracewright-session'))
  for (const path of ['/v1/otlp/v1/traces', '/v1/apply/invalidate']) {
    const refused = await service.call('OPTIONS', path, {
      token: null,
      headers: { ...headers, 'access-control-request-method': 'POST' },
    })
    t.is(refused.headers.get('access-control-allow-origin'), null, path)
  }
})
