// The settings of the web page, of other origins and of mail, as the running service applies them.
import test from 'ava'
import { startService } from '../_kit/serve.ts'
import { signUp } from '../_kit/sign-up.ts'
import { openSmtpServer } from '../_kit/smtp.ts'
import { until } from '../_kit/until.ts'

const friend = 'https://tools.example.com'
const smtp = await openSmtpServer()
const service = await startService({
  DASHBOARD: 'off',
  CORS_ORIGINS: `http://localhost:5173, ${friend}`,
  SMTP_URL: smtp.url,
  SMTP_FROM: 'Tracewright <no-reply@example.com>',
  PUBLIC_URL: 'https://traces.example.com/tracewright/',
})
test.after.always(async () => {
  await service.stop()
  await smtp.stop()
})

const html = { accept: 'text/html' }

test('a service without a dashboard answers browsers like other clients', async (t) => {
  for (const path of ['/', '/sign-in', '/assets/app.js']) {
    const { status, json } = await service.call('GET', path, { headers: html })
    t.is(status, 404)
    t.deepEqual(json, { detail: 'Not found' })
  }
})

test('a listed origin can read routes with a session, and none with an API key', async (t) => {
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

test('a service with a mail server sends the link of a reset, which changes the password', async (t) => {
  const person = await signUp(service.baseUrl)
  const post = async (path: string, body: object): Promise<number> =>
    (await service.call('POST', path, { body, token: null })).status

  const meta = await service.call('GET', '/v1/meta', { token: null })
  t.deepEqual(meta.json, { version: '0.2.0', signup_open: true, mailer: true })
  t.is(await post('/v1/auth/reset', { email: person.email }), 202)
  await until(() => smtp.mails.length === 1)
  const [mail] = smtp.mails
  t.deepEqual(mail?.to, [person.email])
  const [, token] = /https:\/\/traces\.example\.com\/tracewright\/reset#token=(\S+)/.exec(mail?.text ?? '') ?? []
  const password = 'quartz umbrella seventeen'
  t.is(await post('/v1/auth/reset/confirm', { token, password }), 204)
  t.is(await post('/v1/auth/login', { email: person.email, password }), 200)
  t.is(await post('/v1/auth/login', { email: person.email, password: person.password }), 401)
  t.is((await service.call('GET', '/v1/auth/me', { token: person.accessToken })).status, 401, 'every session has ended')
})
