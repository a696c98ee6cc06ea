import test from 'ava'
import { type FenceReason, makeSelfFence } from '../../../src/actors/owner/self-fence.ts'

function open() {
  const clock = { atMs: 50_000, nowMs: () => clock.atMs }
  const closed: FenceReason[] = []
  const world = { isMissing: false }
  const fence = makeSelfFence({
    clock,
    isSomeoneMissing: () => world.isMissing,
    onClosed: (reason) => void closed.push(reason),
  })
  const settle = (): void => {
    fence.hearEcho(clock.atMs)
    fence.hearDatabase(clock.atMs)
    fence.reopen()
  }
  return { clock, fence, closed, world, settle }
}

test('the fence is closed until it is opened, and then requires an echo', (t) => {
  const { clock, fence, settle } = open()
  t.false(fence.mayAnswer())
  t.false(fence.reopen())
  fence.hearEcho(clock.atMs)
  t.false(fence.mayAnswer())
  settle()
  t.true(fence.mayAnswer())
  t.is(fence.reason(), null)
})

test('the fence closes 3 s after the last echo was sent, and an echo alone does not open it', (t) => {
  const { clock, fence, closed, settle } = open()
  settle()
  clock.atMs += 2_999
  t.true(fence.mayAnswer())
  clock.atMs += 1
  t.false(fence.mayAnswer())
  fence.hearEcho(clock.atMs)
  t.false(fence.mayAnswer())
  t.deepEqual(closed, ['echo'])
  t.true(fence.reopen())
  t.true(fence.mayAnswer())
  t.is(fence.counts().echo, 1)
})

test('the age of an echo counts from when it was sent, not from when it arrived', (t) => {
  const { clock, fence, settle } = open()
  settle()
  const sentAtMs = clock.atMs
  clock.atMs += 2_000
  fence.hearEcho(sentAtMs + 500)
  clock.atMs += 1_499
  t.true(fence.mayAnswer())
  clock.atMs += 1
  t.false(fence.mayAnswer())
})

test('a gap that was not checked is detected by the echo that ends it', (t) => {
  const { clock, fence, closed, settle } = open()
  settle()
  clock.atMs += 3_500
  fence.hearEcho(clock.atMs)
  t.false(fence.mayAnswer())
  t.deepEqual(closed, ['echo'])
})

test('echoes that arrive out of order do not lower its age', (t) => {
  const { clock, fence, settle } = open()
  settle()
  fence.hearEcho(clock.atMs - 2_000)
  t.is(fence.echoAgeMs(), 0)
})

test('15 s without the database close the fence only if a member is missing', (t) => {
  const { clock, fence, closed, world, settle } = open()
  settle()
  for (let second = 0; second < 20; second += 1) {
    clock.atMs += 1_000
    fence.hearEcho(clock.atMs)
  }
  t.true(fence.mayAnswer())
  world.isMissing = true
  t.false(fence.mayAnswer())
  t.deepEqual(closed, ['database'])
})

test('a process that could not read the database and then receives nothing counts as not receiving', (t) => {
  const { clock, fence, world, settle } = open()
  settle()
  world.isMissing = true
  for (let second = 0; second < 15; second += 1) {
    clock.atMs += 1_000
    fence.hearEcho(clock.atMs)
  }
  t.false(fence.mayAnswer())
  clock.atMs += 4_000
  fence.hearEcho(clock.atMs)
  t.is(fence.reason(), 'echo')
})
