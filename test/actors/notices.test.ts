import test from 'ava'
import { openCommitWaiters } from '../../src/actors/commit-waiters.ts'
import { makeNotices } from '../../src/actors/notices.ts'
import { partitionOf } from '../../src/actors/partition.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openLocalTransport } from '../../src/bus/local.ts'
import { fastest } from '../_kit/fastest.ts'
import { until } from '../_kit/until.ts'

const one = makeUuidV7()
const two = makeUuidV7()
const never = new AbortController().signal

const open = () => {
  const errors: unknown[] = []
  const transport = openLocalTransport({ onError: (error) => errors.push(error) })
  return { transport, notices: makeNotices(transport), errors }
}

test('each kind of notice reaches its own listeners alone', async (t) => {
  const { transport, notices, errors } = open()
  const seen: unknown[] = []
  notices.subscribeChanges((workspaceId, kind) => seen.push([workspaceId, kind]))
  notices.subscribeKeysRevoked((digestHex) => seen.push(digestHex))
  notices.subscribeDeletions((workspaceId) => seen.push(workspaceId))
  notices.subscribeMemberships((userId) => seen.push(`user ${userId}`))
  notices.subscribeCommits((workspaceId, inserted) => seen.push([workspaceId, inserted]))
  notices.publishChange(one, 'rules')
  notices.publishKeyRevoked('07'.repeat(32))
  notices.publishDeletion(two)
  notices.publishMembership(one)
  notices.publishCommit(one, 3)
  await until(() => seen.length === 5)
  await transport.flush()
  t.deepEqual(seen, [[one, 'rules'], '07'.repeat(32), two, `user ${one}`, [one, 3]])
  t.deepEqual(errors, [])
})

test('the notice of a commit names the results that it may contain, or says that they are unknown, and the decisions that it contradicts', async (t) => {
  const { transport, notices, errors } = open()
  const seen: unknown[] = []
  notices.subscribeCommits((_workspaceId, _inserted, news) => seen.push(news))
  notices.publishCommit(one, 3, { results: [4_294_967_295, 0], contradicted: [one, two] })
  notices.publishCommit(one, 3, { results: [], contradicted: [] })
  notices.publishCommit(one, 3)
  notices.publishCommit(one, 3, { results: null, contradicted: [two] })
  // Notices of an older release, and of one with another format.
  const subject = `tw.commit.${partitionOf(one)}`
  for (const more of [{}, { results: 'all', contradicted: 'all' }, { results: ['x'], contradicted: ['x'] }])
    transport.publish(subject, Buffer.from(JSON.stringify({ ws: one, inserted: 1, ...more })))
  await until(() => seen.length === 7)
  t.deepEqual(seen, [
    { results: [4_294_967_295, 0], contradicted: [one, two] },
    { results: [], contradicted: [] },
    { results: null, contradicted: [] },
    { results: null, contradicted: [two] },
    ...Array.from({ length: 3 }, () => ({ results: null, contradicted: [] })),
  ])
  t.deepEqual(errors, [])
})

test('a notice reaches its own process once, with and without a network, and the others by the network', async (t) => {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const network = openLocalTransport({ onError })
  const join = (boot: string) => {
    const heard: string[] = []
    const notices = makeNotices(openLocalTransport({ onError }), { channel: network, boot })
    const end = notices.subscribeDeletions((workspaceId) => heard.push(workspaceId))
    return { notices, heard, end }
  }
  const [a, b] = [join('aa'), join('bb')]
  a.notices.publishDeletion(one)
  await until(() => a.heard.length > 0 && b.heard.length > 0)
  await network.flush()
  await network.flush()
  t.deepEqual([a.heard, b.heard], [[one], [one]])
  b.end()
  await network.stop()
  a.notices.publishDeletion(two)
  await until(() => a.heard.length === 2)
  t.deepEqual([a.heard, b.heard], [[one, two], [one]])
  t.deepEqual(errors, [])
})

test('after a gap all callers that wait for a commit read again', async (t) => {
  const { notices } = open()
  const waiters = openCommitWaiters(notices)
  const waits = [one, two, one].map((workspaceId) => waiters.wait(workspaceId, never, 60_000))
  t.is(waiters.count(), 3)
  waiters.wakeAll()
  await Promise.all(waits)
  t.is(waiters.count(), 0)
})

test('malformed notices are ignored', async (t) => {
  const { transport, notices, errors } = open()
  notices.subscribeChanges(() => t.fail())
  notices.subscribeKeysRevoked(() => t.fail())
  notices.subscribeDeletions(() => t.fail())
  notices.subscribeCommits(() => t.fail())
  for (const body of [
    '',
    '{',
    '[]',
    '{"ws":"x","kind":"rules"}',
    '{"key_hash":"zz"}',
    `{"ws":"${one}","kind":"other"}`,
  ]) {
    for (const subject of ['tw.inv.5', 'tw.inv.key', 'tw.commit.5']) transport.publish(subject, Buffer.from(body))
  }
  transport.publish('tw.inv.ws', Buffer.from('{"ws":"x"}'))
  await transport.flush()
  await transport.flush()
  t.deepEqual(errors, [])
})

test.serial('a commit wakes only the callers that wait for its workspace, within 100 ms', async (t) => {
  const { notices } = open()
  const waiters = openCommitWaiters(notices)
  let isOtherAwake = false
  const other = waiters.wait(two, never, 20_000).then(() => {
    isOtherAwake = true
  })
  const tookMs = await fastest(async () => {
    const waits = Array.from({ length: 50 }, () => waiters.wait(one, never, 20_000))
    const startedAtMs = performance.now()
    notices.publishCommit(one, 1)
    await Promise.all(waits)
    return performance.now() - startedAtMs
  }, 100)
  t.true(tookMs < 100, `${tookMs} ms`)
  t.false(isOtherAwake)
  t.is(waiters.count(), 1)
  waiters.stop()
  await other
})

test('a wait ends by itself, by its signal and by the stop, and leaves nothing behind', async (t) => {
  const { notices } = open()
  const waiters = openCommitWaiters(notices)
  await waiters.wait(one, never, 10)
  t.is(waiters.count(), 0)
  const gone = new AbortController()
  const waits = Array.from({ length: 2_000 }, () => waiters.wait(one, gone.signal, 20_000))
  t.is(waiters.count(), 2_000)
  gone.abort()
  await Promise.all(waits)
  t.is(waiters.count(), 0)
  await waiters.wait(one, gone.signal, 20_000)
  const last = waiters.wait(one, never, 20_000)
  waiters.stop()
  await last
  await waiters.wait(one, never, 20_000)
  t.is(waiters.count(), 0)
})

test('no workspace can take every place: its surplus requests are answered at once', async (t) => {
  const { notices } = open()
  const waiters = openCommitWaiters(notices)
  const waits = Array.from({ length: 2_500 }, () => waiters.wait(one, never, 20_000))
  await waiters.wait(one, never, 20_000)
  const other = waiters.wait(two, never, 20_000)
  t.is(waiters.count(), 2_501)
  waiters.stop()
  await Promise.all([...waits, other])
})
