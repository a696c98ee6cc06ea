import test from 'ava'
import { makeMailbox } from '../../src/actors/mailbox.ts'
import { Busy } from '../../src/bus/transport.ts'

test('tasks run one at a time in order, whatever their duration or result', async (t) => {
  const mailbox = makeMailbox(100)
  const log: string[] = []
  let running = 0
  const task = (name: string, turns: number) => async (): Promise<string> => {
    running += 1
    t.is(running, 1)
    for (let n = 0; n < turns; n += 1) await new Promise((turn) => setImmediate(turn))
    log.push(name)
    running -= 1
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const results = await Promise.allSettled([
    mailbox.run(task('a', 5)),
    mailbox.run(task('b', 0)),
    mailbox.run(task('c', 3)),
    mailbox.run(task('d', 0)),
  ])
  t.deepEqual(log, ['a', 'b', 'c', 'd'])
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  t.is(mailbox.size(), 0)
})

test('a task above the limit is refused at once without running, and later tasks are accepted again', async (t) => {
  const mailbox = makeMailbox(3)
  const release = Promise.withResolvers<void>()
  const taken = [1, 2, 3].map(() => mailbox.run(() => release.promise))
  let hasRun = false
  const refused = mailbox.run(() => {
    hasRun = true
    return Promise.resolve()
  })
  await t.throwsAsync(refused, { instanceOf: Busy })
  t.is(mailbox.size(), 3)
  release.resolve()
  await Promise.all(taken)
  t.false(hasRun)
  t.is(await mailbox.run(() => Promise.resolve(7)), 7)
})
