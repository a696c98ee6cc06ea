// Mail is sent after the answer: the queue is bounded, failed mail is retried, and failures are reported.
import { inspect } from 'node:util'
import test from 'ava'
import { makeMailQueue } from '../../src/accounts/mail/queue.ts'
import { type Mail, openSmtp, type SendMail } from '../../src/accounts/mail/smtp.ts'
import { openSmtpServer } from '../_kit/smtp.ts'
import { until } from '../_kit/until.ts'

const from = 'Tracewright <no-reply@tracewright.test>'
const mail: Mail = { to: 'ada@example.test', subject: 'Hello', text: 'A line.\n.\nAnother one.\n' }
const makeMail = (to: string) => async (): Promise<Mail> => ({ ...mail, to })

async function open(t: { teardown(stop: () => Promise<void>): void }, retryAfterMs: readonly number[] = [1, 1]) {
  const server = await openSmtpServer()
  const errors: unknown[] = []
  const queue = makeMailQueue({
    // On a slow machine, no mail is tried again because of its time limits.
    smtp: openSmtp({ url: server.url, from, timeouts: { stepMs: 200_000, totalMs: 200_000 } }),
    onError: (error) => void errors.push(error),
    retryAfterMs,
  })
  t.teardown(async () => {
    await queue.stop()
    await server.stop()
  })
  /** Returns how many mails were sent or given up. */
  const done = (): number => server.mails.length + errors.length
  return { server, queue, errors, done }
}

test('a temporarily refused mail is sent again, and is prepared only once', async (t) => {
  const { server, queue, errors, done } = await open(t)
  server.answers.push('451 later', '421 later')
  let prepared = 0
  queue.add(async () => {
    prepared += 1
    return await makeMail('ada@example.test')()
  })
  await until(() => done() === 1)
  t.deepEqual([errors, prepared], [[], 1])
  t.is(server.mails.length, 1)
  t.regex(server.mails[0]?.text ?? '', /A line\.\n\.\nAnother one\./)
})

test('a mail that the server refuses permanently or too often is dropped and reported', async (t) => {
  const { server, queue, errors, done } = await open(t)
  server.answers.push('550 <nobody@example.test> is nobody')
  queue.add(makeMail('nobody@example.test'))
  await until(() => done() === 1)
  t.is(server.commands.filter((line) => line.startsWith('RCPT')).length, 1, 'no is no')
  server.answers.push('451 later', '451 later', '451 later')
  queue.add(makeMail('busy@example.test'))
  await until(() => done() === 2)
  t.is(server.commands.filter((line) => line.startsWith('RCPT')).length, 4)
  t.regex(String(errors[0]), /550/)
  t.regex(String(errors[1]), /451/)
  t.is(server.mails.length, 0)
  t.false(/@/.test(inspect(errors)), 'no address comes into the log')
})

test('an unreachable server and a mail that cannot be prepared are reported', async (t) => {
  const errors: unknown[] = []
  const smtp = openSmtp({ url: 'smtp://127.0.0.1:1', from })
  const queue = makeMailQueue({ smtp, onError: (error) => void errors.push(error), retryAfterMs: [] })
  queue.add(makeMail('ada@example.test'))
  queue.add(async () => await Promise.reject(new Error('no database')))
  await until(() => errors.length === 2)
  t.true(errors.some((error) => /ESOCKET|ECONNECTION|ECONNREFUSED/.test(String(error))))
  t.true(errors.some((error) => /no database/.test(String(error))))
  await queue.stop()
})

test('two mails are sent at once and a hundred wait; further ones are dropped and reported', async (t) => {
  const gate = Promise.withResolvers<void>()
  const errors: unknown[] = []
  let [running, most, sent] = [0, 0, 0]
  const smtp: SendMail = {
    send: async () => {
      running += 1
      most = Math.max(most, running)
      await gate.promise
      running -= 1
      sent += 1
    },
  }
  const queue = makeMailQueue({ smtp, onError: (error) => void errors.push(error) })
  for (let at = 0; at < 110; at += 1) queue.add(makeMail(`person-${at}@example.test`))
  await until(() => errors.length === 8 && running === 2)
  gate.resolve()
  await until(() => sent === 102)
  t.is(most, 2)
  t.is(errors.length, 8)
  await queue.stop()
})

test('a stop drops waiting mails, disconnects a silent server, and reports both', async (t) => {
  const { server, queue, errors } = await open(t, [600_000])
  server.answers.push('hang', '451 later')
  queue.add(makeMail('hangs@example.test'))
  queue.add(makeMail('later@example.test'))
  queue.add(makeMail('waits@example.test'))
  await until(() => server.commands.filter((line) => line.startsWith('RCPT')).length === 2)
  await queue.stop()
  t.is(errors.length, 3)
  t.is(server.mails.length, 0)
})

test('an address is one recipient, whatever characters it contains', async (t) => {
  const { server, queue, done } = await open(t)
  queue.add(makeMail('ada@example.test, eve@example.test'))
  await until(() => done() === 1)
  t.true(server.mails.every(({ to }) => to.length < 2))
  queue.add(makeMail('bob@m\u00fcnchen.test'))
  await until(() => done() === 2)
  t.deepEqual(server.mails.at(-1)?.to, ['bob@xn--mnchen-3ya.test'])
})
