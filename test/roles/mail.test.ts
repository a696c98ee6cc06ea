// The settings of mail, from the environment to the mail that a user receives.
import test from 'ava'
import { startService } from '../_kit/serve.ts'
import { openSmtpServer } from '../_kit/smtp.ts'
import { until } from '../_kit/until.ts'

test('a service with a mail server sends the link of a reset, which changes the password', async (t) => {
  const smtp = await openSmtpServer()
  t.teardown(smtp.stop)
  const service = await startService({
    SMTP_URL: smtp.url,
    SMTP_FROM: 'Tracewright <no-reply@example.com>',
    PUBLIC_URL: 'https://traces.example.com/tracewright/',
  })
  t.teardown(service.stop)
  const post = async (path: string, body: object): Promise<number> =>
    (await service.call('POST', path, { body, token: null })).status

  const meta = await service.call('GET', '/v1/meta', { token: null })
  t.deepEqual(meta.json, { version: '0.2.0', signup_open: true, mailer: true })
  t.is(await post('/v1/auth/reset', { email: service.email }), 202)
  await until(() => smtp.mails.length === 1)
  const [mail] = smtp.mails
  t.deepEqual(mail?.to, [service.email])
  const [, token] = /https:\/\/traces\.example\.com\/tracewright\/reset#token=(\S+)/.exec(mail?.text ?? '') ?? []
  const password = 'quartz umbrella seventeen'
  t.is(await post('/v1/auth/reset/confirm', { token, password }), 204)
  t.is(await post('/v1/auth/login', { email: service.email, password }), 200)
  t.is(await post('/v1/auth/login', { email: service.email, password: service.password }), 401)
  t.is((await service.call('GET', '/v1/auth/me')).status, 401, 'every session has ended')
})
