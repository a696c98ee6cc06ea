import test from 'ava'
import fc from 'fast-check'
import { decodeEnvelope, decodeReply, encodeEnvelope, encodeReply, maxMessageBytes } from '../../src/actors/envelope.ts'
import { seed } from '../_kit/soak.ts'

const ws = '01890000-0000-7000-8000-000000000001'
const envelope = { op: 'reserve', ws, epoch: 1, reqId: 'a-1', budgetMs: 400, body: { batchKey: 'k', spans: 3 } }
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

test('an envelope is decoded as it was encoded', (t) => {
  t.deepEqual(decodeEnvelope(encodeEnvelope(envelope)), envelope)
})

test('a newer release may add fields to both', (t) => {
  t.deepEqual(decodeEnvelope(json({ v: 2, ...envelope, trace: 'x' })), envelope)
  t.deepEqual(decodeReply(json({ v: 2, ok: true, body: 1, more: 2 })), { ok: true, body: 1 })
  t.deepEqual(decodeReply(json({ v: 2, ok: false, code: 'melted' })), { ok: false, code: 'failed' })
})

test('each missing or malformed field is refused', (t) => {
  const bad = [
    { ...envelope },
    { v: 0, ...envelope },
    { v: 1, ...envelope, ws: 'x' },
    { v: 1, ...envelope, op: 1 },
    { v: 1, ...envelope, epoch: '1' },
    { v: 1, ...envelope, budgetMs: -1 },
    { v: 1, ...envelope, reqId: null },
    [1],
    null,
  ]
  for (const value of bad) t.is(decodeEnvelope(json(value)), null, JSON.stringify(value))
  t.is(decodeReply(json({ v: 1 })), null)
})

test('a decoder never throws, whatever the bytes', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          decodeEnvelope(bytes)
          decodeReply(bytes)
        },
      ),
      { numRuns: 500, seed },
    ),
  )
})

test('a reply past the size bound becomes a refusal to send it', (t) => {
  const reply = decodeReply(encodeReply({ ok: true, body: 'x'.repeat(maxMessageBytes) }))
  t.deepEqual(reply, { ok: false, code: 'too_large' })
  t.is(decodeEnvelope(Buffer.alloc(maxMessageBytes + 1, 32)), null)
})
