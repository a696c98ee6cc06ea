import { randomBytes } from 'node:crypto'
import test from 'ava'
import { checkOptions, type TracewrightOptions } from '../src/options.ts'

const good: TracewrightOptions = {
  baseUrl: 'https://tracewright.example/',
  apiKey: 'tw_sk_x',
  agentName: 'agent',
  hashKey: randomBytes(32),
  encryptionKeys: { current: { keyId: 'a', key: randomBytes(32) } },
}

test('keys are taken as bytes or as base64, and are copied', (t) => {
  const key = randomBytes(32)
  const bytes = checkOptions({ ...good, hashKey: key })
  for (const text of [key.toString('base64'), key.toString('base64url')])
    t.deepEqual(checkOptions({ ...good, hashKey: text }).hashKey, new Uint8Array(key))
  const before = bytes.hashKey[0]
  key[0] = (key[0] ?? 0) ^ 1
  t.is(bytes.hashKey[0], before)
})

test('what is wrong is named, and its value is not', (t) => {
  const secret = randomBytes(16).toString('base64url')
  const wrong: [Partial<TracewrightOptions>, RegExp][] = [
    [{ baseUrl: 'ftp://x' }, /baseUrl/],
    [{ baseUrl: 'x' }, /baseUrl/],
    [{ apiKey: '' }, /apiKey/],
    [{ apiKey: `${secret}\n` }, /apiKey/],
    [{ agentName: '' }, /agentName/],
    [{ hashKey: secret }, /hashKey.*32 bytes/],
    [{ hashKey: '!' }, /hashKey/],
    [{ encryptionKeys: { current: { keyId: 'a', key: secret } } }, /encryptionKeys\.current\.key wants 32 bytes/],
    [{ encryptionKeys: { current: { keyId: '', key: randomBytes(32) } } }, /keyId/],
    [{ encryptionKeys: { ...good.encryptionKeys, previous: [good.encryptionKeys.current] } }, /same keyId/],
    [{ deadlineMs: 5 }, /deadlineMs.*10 to 10000/],
    [{ deadlineMs: Number.NaN }, /deadlineMs/],
    [{ maxQueueSpans: 0 }, /maxQueueSpans/],
  ]
  for (const [change, message] of wrong) {
    const error = t.throws(() => checkOptions({ ...good, ...change }), { instanceOf: TypeError, message })
    t.false(error?.message.includes(secret))
  }
})

test('what is not said has a default', (t) => {
  t.like(checkOptions(good), {
    agentId: null,
    previous: [],
    deadlineMs: 300,
    maxResultBytes: 262_144,
    maxQueueSpans: 4_096,
    maxQueueBytes: 33_554_432,
    flushIntervalMs: 1_000,
    flushTimeoutMs: 5_000,
    registerGlobally: false,
  })
})
