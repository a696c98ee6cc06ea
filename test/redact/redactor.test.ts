import { createHmac } from 'node:crypto'
import test from 'ava'
import { maxTextLength } from '../../src/redact/cut-text.ts'
import { openRedactor } from '../../src/redact/redactor.ts'

const secret = Buffer.from('0123456789abcdef0123456789abcdef')
const redactor = openRedactor(secret)
const mark = (kind: string, value: string): string =>
  `[redacted:${kind}:${createHmac('sha256', secret).update(value).digest('hex').slice(0, 8)}]`

const finds: readonly (readonly [string, string])[] = [
  ['api_key', `tw_sk_a1B2c3D4_${'x'.repeat(38)}`],
  ['api_key', 'sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2'],
  ['api_key', 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['api_key', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['aws_key', 'AKIAIOSFODNN7EXAMPLE'],
  ['github_token', `ghp_${'a1'.repeat(18)}`],
  ['github_token', `github_pat_${'a1'.repeat(12)}`],
  ['google_key', `AIza${'Sy0-_'.repeat(7)}`],
  ['slack_token', 'xoxb-123456789012-abcdefGHIJKL'],
  ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9'],
  ['email', 'ada.lovelace+notes@mail.example.co.uk'],
  ['card', '4111 1111 1111 1111'],
  ['card', '5500-0000-0000-0004'],
  ['card', '378282246310005'],
  ['card', '3782 822463 10005'],
  ['iban', 'DE89370400440532013000'],
  ['iban', 'GB82 WEST 1234 5698 7654 32'],
  ['ip', '203.0.113.77'],
  ['ip', '2001:db8:85a3::8a2e:370:7334'],
  ['ip', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
]

test('each kind of secret and identifier is found in the midst of a sentence, and marked with its keyed hash', (t) => {
  for (const [kind, value] of finds) {
    t.deepEqual(
      redactor.text(`before ${value} after`),
      { text: `before ${mark(kind, value)} after`, changed: true },
      value,
    )
    t.is(redactor.text(`(${value}).`).text, `(${mark(kind, value)}).`, value)
    t.is(redactor.text(value).text, mark(kind, value), value)
  }
})

test('finds behind an escaped line break leave the escape as it was', (t) => {
  for (const [kind, value] of finds) {
    t.is(redactor.text(String.raw`{"a":"x\n${value}\n"}`).text, String.raw`{"a":"x\n${mark(kind, value)}\n"}`, value)
  }
})

test('each kind of secret key is found in any spelling, in text, in an assignment and under a key of JSON', (t) => {
  const value = 'Zk9xQ2vT7mB4'
  for (const kind of 'account api private secret access signing encryption master subscription'.split(' '))
    for (const name of [`${kind}key`, `${kind}_key`, `${kind}-key`, `${kind}Key`, `x_${kind}key`])
      for (const text of [
        `${name}: ${value}`,
        `${name}=${value}`,
        JSON.stringify({ [name]: value }),
        `<${name}>${value}</${name}>`,
      ])
        t.false(redactor.text(text).text.includes(value), text)
})

test('a private key goes from its first mark to its last, or to the end where it is cut off', (t) => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc=\n-----END RSA PRIVATE KEY-----'
  t.is(redactor.text(`a ${pem} b`).text, `a ${mark('private_key', pem)} b`)
  t.is(redactor.text(`a ${pem.slice(0, 50)}`).text, `a ${mark('private_key', pem.slice(0, 50))}`)
  t.false(redactor.text('-----BEGIN PUBLIC KEY-----\nMIIB').changed)
})

test('bearer tokens, headers, assignments and passwords in addresses lose their value and keep their name', (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ['Authorization: Bearer abc123def456', `Authorization: Bearer ${mark('bearer', 'abc123def456')}`],
    ['curl -u basic dXNlcjpwYXNz1=', `curl -u basic ${mark('bearer', 'dXNlcjpwYXNz1=')}`],
    ['Cookie: sid=abc; theme=dark\nHost: a', `Cookie: ${mark('secret', 'sid=abc; theme=dark')}\nHost: a`],
    ['postgres://app:hunter2@db/x', `postgres://app:${mark('url_password', 'hunter2')}@db/x`],
    ['{"password": "my long \\"pass\\" phrase"}', `{"password": "${mark('secret', 'my long "pass" phrase')}"}`],
    [String.raw`{\"api_key\":\"a b c\"}`, String.raw`{\"api_key\":\"${mark('secret', 'a b c')}\"}`],
    ['client_secret=s3cr3tvalue&x=1', `client_secret=${mark('secret', 's3cr3tvalue')}&x=1`],
    ["PASSWORD='hunter2'", `PASSWORD='${mark('secret', 'hunter2')}'`],
  ]
  for (const [text, redacted] of cases) t.is(redactor.text(text).text, redacted)
})

test('ordinary text stays as it is', (t) => {
  for (const text of [
    'max_tokens: 4096, input_tokens=123456, total_tokens: 1234567',
    'a 13-digit time 1767225600000 and 19 digits 1767225600000000000',
    'Luhn fails for 4111 1111 1111 1112 and 0.4111111111111111 is a float',
    'at 10:20:30 the MAC was aa:bb:cc:dd:ee:ff and std::vector<a::b>[1::2]',
    'react@18.2.0, @koa/router, user@localhost',
    'version 1.2.3 of 1.2.3.4.5 and 300.1.2.3',
    'DE00370400440532013000 and GB82 WEST 1234 5698 7654 33',
    'the bearer understands basic authentication',
    'id 550e8400-e29b-41d4-a716-446655440000, trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'sk-learn and risk-management-for-everybody',
    'token: abc',
    '',
  ]) {
    t.deepEqual(redactor.text(text), { text, changed: false })
  }
})

test('a card number is found after a year and before an expiry date', (t) => {
  const card = '4111 1111 1111 1111'
  t.is(redactor.text(`in 2024 ${card} 2027`).text, `in 2024 ${mark('card', card)} 2027`)
})

test('equal values give equal marks, and another workspace gives others', (t) => {
  const other = openRedactor(Buffer.alloc(32, 7))
  const { text } = redactor.text('a@example.com and a@example.com and b@example.com')
  const marks = text.match(/\[redacted:email:[0-9a-f]{8}\]/g) ?? []
  t.is(marks.length, 3)
  t.is(marks[0], marks[1])
  t.not(marks[0], marks[2])
  t.not(other.text('a@example.com').text, redactor.text('a@example.com').text)
  t.throws(() => openRedactor(new Uint8Array(8)), { instanceOf: RangeError })
})

test('redacting twice changes nothing more', (t) => {
  const all = finds.map(([, value]) => value).join(' | ')
  const once = redactor.text(`${all} password=hunter22 Authorization: Bearer abc123def456`).text
  t.deepEqual(redactor.text(once), { text: once, changed: false })
  const value = redactor.json({ password: 'hunter2', text: all }).value
  t.false(redactor.json(value).changed)
})

test('the value of a key that promises a secret goes whole, whatever it is', (t) => {
  const plain = { input_tokens: 5, max_tokens: 9, time_to_first_token: 0.5, password: null, secret: true, token: '' }
  t.is(redactor.json(plain).value, plain)
  const value = redactor.json({ a: [{ apiKey: 'k', cookies: ['a', 'b'], token: 'abc', keep: 1 }], pin: 'x' }).value
  const [list] = (value as { a: [Record<string, unknown>] }).a
  t.is(list['apiKey'], mark('secret', 'k'))
  t.regex(String(list['cookies']), /^\[redacted:secret:[0-9a-f]{8}\]$/)
  t.is(list['token'], mark('secret', 'abc'))
  t.is(list['keep'], 1)
  t.is((value as { pin: string }).pin, 'x')
})

test('what a member before it names as a secret goes whole, in lists, Maps and objects', (t) => {
  const { value } = redactor.json([
    { name: 'DB_PASSWORD', value: 'hunter2' },
    new Map<string, unknown>([
      ['key', 'authorization'],
      ['value', { stringValue: 'x' }],
    ]),
    { name: 'region', value: 'eu' },
    { name: 'max_tokens', value: 100 },
  ])
  const [first, second, third, fourth] = value as [{ value: string }, Map<string, unknown>, object, object]
  t.regex(first.value, /^\[redacted:secret:/)
  t.regex(String(second.get('value')), /^\[redacted:secret:/)
  t.deepEqual(
    [third, fourth],
    [
      { name: 'region', value: 'eu' },
      { name: 'max_tokens', value: 100 },
    ],
  )
})

test('what a member behind it names as a secret goes whole, in Maps and objects', (t) => {
  const { value } = redactor.json([
    { default_value: 'hunter2hunter2', current_value: 'hunter3', name: 'DB_PASSWORD' },
    new Map<string, unknown>([
      ['value', { stringValue: 'x' }],
      ['key', 'authorization'],
    ]),
    { value: 'eu', name: 'region', inner: { name: 'password' } },
    { value: 100, name: 'max_tokens' },
  ])
  const [first, second, ...others] = value as [Record<string, string>, Map<string, unknown>, object, object]
  t.is(first['default_value'], mark('secret', 'hunter2hunter2'))
  t.is(first['current_value'], mark('secret', 'hunter3'))
  t.regex(String(second.get('value')), /^\[redacted:secret:/)
  t.deepEqual(others, [
    { value: 'eu', name: 'region', inner: { name: 'password' } },
    { value: 100, name: 'max_tokens' },
  ])
})

test('of several names for a value, the one that promises most counts, wherever it stands', (t) => {
  const { value } = redactor.json([
    { key: 'password', name: 'pin', value: 'hunter2' },
    new Map([
      ['name', 'otp_code'],
      ['value', 'hunter2'],
      ['key', 'DB_PASSWORD'],
    ]),
    { name: 'status_code', type: 'password', value: 'hunter2' },
    { name: 'pin', key: 'ssn', value: 'hunter2' },
    { name: 'value', type: 'token', value: 'hunter2' },
  ])
  const [first, second, third, ...others] = value as [{ value: string }, Map<string, string>, { value: string }, object]
  t.is(first.value, mark('secret', 'hunter2'))
  t.is(second.get('value'), mark('secret', 'hunter2'))
  t.is(third.value, mark('secret', 'hunter2'))
  t.deepEqual(others, [
    { name: 'pin', key: 'ssn', value: 'hunter2' },
    { name: 'value', type: 'token', value: 'hunter2' },
  ])
})

test('Maps, keys, bytes and long numbers are redacted too', (t) => {
  const map = new Map<string, unknown>([
    ['bob@example.com', 1],
    ['__proto__', new Map([['client_secret', 'x']])],
    ['card', 4_111_111_111_111_111],
    ['big', 4_111_111_111_111_111n],
    ['bytes', Buffer.from('mail bob@example.com')],
    ['image', Uint8Array.of(0xff, 0xd8, 0xff)],
  ])
  const { value, changed } = redactor.json(map)
  t.true(changed)
  const redacted = value as Map<string, unknown>
  t.is(redacted.get(mark('email', 'bob@example.com')), 1)
  t.deepEqual(redacted.get('__proto__'), new Map([['client_secret', mark('secret', 'x')]]))
  t.is(redacted.get('card'), mark('card', '4111111111111111'))
  t.is(redacted.get('big'), mark('card', '4111111111111111'))
  t.regex(String(redacted.get('bytes')), /^\[redacted:bytes:/)
  t.is(redacted.get('image'), map.get('image'))
  t.is((redactor.json({ ['__proto__x']: 1, list: ['a@example.com'] }).value as { list: string[] }).list.length, 1)
})

test('content nested too deeply is refused', (t) => {
  let value: unknown = 'x'
  for (let i = 0; i < 70; i++) value = [value]
  t.throws(() => redactor.json(value), { instanceOf: RangeError })
})

test('a text is cut at its limit, never in the midst of a word', (t) => {
  const text = `${'a '.repeat(maxTextLength / 2 - 10)}sk-proj-${'A1b2C3d4'.repeat(8)}`
  const redacted = redactor.text(text)
  t.true(redacted.changed)
  t.true(redacted.text.endsWith(' a [truncated]'))
  t.true(redacted.text.length < maxTextLength)
  t.true(redactor.text('x'.repeat(maxTextLength * 2)).text.endsWith('x [truncated]'))
  t.true(redactor.text('😀'.repeat(maxTextLength)).text.isWellFormed())
})
