import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
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

test('an error names the option and not its value', (t) => {
  const secret = randomBytes(16).toString('base64url')
  const wrong: [Partial<TracewrightOptions>, RegExp][] = [
    [{ baseUrl: 'ftp://x' }, /baseUrl/],
    [{ baseUrl: 'x' }, /baseUrl/],
    [{ apiKey: '' }, /apiKey/],
    [{ apiKey: `${secret}\n` }, /apiKey/],
    [{ agentName: '' }, /agentName/],
    [{ hashKey: secret }, /hashKey.*32 bytes/],
    [{ hashKey: '!' }, /hashKey/],
    [{ encryptionKeys: { current: { keyId: 'a', key: secret } } }, /encryptionKeys\.current\.key must have 32 bytes/],
    [{ encryptionKeys: { current: { keyId: '', key: randomBytes(32) } } }, /keyId/],
    [{ encryptionKeys: { ...good.encryptionKeys, previous: [good.encryptionKeys.current] } }, /same keyId/],
    [{ deadlineMs: 5 }, /deadlineMs.*10 to 10000/],
    [{ deadlineMs: Number.NaN }, /deadlineMs/],
    [{ maxQueueSpans: 0 }, /maxQueueSpans/],
    [{ deadlineMs: '300' as unknown as number }, /deadlineMs/],
    [{ random: 0.5 as unknown as () => number }, /random/],
    [{ baseUrl: 'http://x/v1' }, /baseUrl must not end in \/v1/],
    [{ encryptionKeys: {} as TracewrightOptions['encryptionKeys'] }, /encryptionKeys\.current must be an object/],
    [{ encryptionKeys: null as unknown as TracewrightOptions['encryptionKeys'] }, /encryptionKeys\.current/],
  ]
  for (const [change, message] of wrong) {
    const error = t.throws(() => checkOptions({ ...good, ...change }), { instanceOf: TypeError, message })
    t.false(error?.message.includes(secret))
  }
})

test('omitted options have defaults', (t) => {
  t.like(checkOptions(good), {
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

test('the README lists every option with its default', (t) => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const section = readme.slice(readme.indexOf('### Options of the client'), readme.indexOf('## How a call is served'))
  const cells = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const rows = cells.flatMap(([, name = '', , value = '']) =>
    name.startsWith('`') ? [[name.slice(1, -1), value]] : [],
  )
  const checked: Record<string, unknown> = { ...checkOptions(good) }
  const listed = new Set(rows.map(([name]) => name))
  for (const name of Object.keys(checked)) if (!['current', 'previous'].includes(name)) t.true(listed.has(name), name)
  for (const [name = '', value = ''] of rows) {
    if (typeof checked[name] === 'number') t.is(Number(value.replaceAll(',', '')), checked[name], name)
  }
})
