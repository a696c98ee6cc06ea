import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeSemaphore } from '../../src/base/semaphore.ts'

test('a caller that waits too long is refused, and the next one gets the slot', async (t) => {
  const semaphore = makeSemaphore(1, 2, 20)
  let finish = (): void => undefined
  const first = semaphore.run(() => new Promise<void>((done) => (finish = done)))
  const late = semaphore.run(async () => t.fail('it was sent away'))
  t.is(semaphore.waiting(), 1)
  await t.throwsAsync(late, { instanceOf: Outage })
  t.is(semaphore.waiting(), 0)
  const next = semaphore.run(async () => 'in time')
  finish()
  await first
  t.is(await next, 'in time')
  t.is(await semaphore.run(async () => 'free again'), 'free again')
})

test('callers above the limit of waiting ones are refused at once', async (t) => {
  const semaphore = makeSemaphore(1, 1)
  let finish = (): void => undefined
  const first = semaphore.run(() => new Promise<void>((done) => (finish = done)))
  const second = semaphore.run(async () => 'second')
  await t.throwsAsync(
    semaphore.run(async () => 'third'),
    { instanceOf: Outage },
  )
  finish()
  await first
  t.is(await second, 'second')
})
