import test from 'ava'
import { freeBuffer } from '../../src/base/free-buffer.ts'

test('a released large buffer is empty, and so is every view of it', (t) => {
  const bytes = new Uint8Array(100_000)
  const view = bytes.subarray(10, 20)
  freeBuffer(view)
  t.is(bytes.byteLength, 0)
  t.is(view.byteLength, 0)
  t.notThrows(() => freeBuffer(bytes))
})

test('a small buffer is not released, because others may share its memory', (t) => {
  const shared = Buffer.from('a small text')
  const neighbour = Buffer.from('another one')
  freeBuffer(shared)
  t.is(shared.toString(), 'a small text')
  t.is(neighbour.toString(), 'another one')
})

test('a small buffer that its bytes fill is theirs alone', (t) => {
  const bytes = new Uint8Array(10)
  freeBuffer(bytes)
  t.is(bytes.byteLength, 0)
})
