import test from 'ava'
import { maxTextLength } from '../../src/redact/cut-text.ts'
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'
import { leastCpuMs, measureLooks } from '../_kit/looks.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'

const redactor = openRedactor(new Uint8Array(32).fill(9))
/** Redacts as the first text of a request: its work budget is tested elsewhere. */
function redact(value: string) {
  redactor.forget()
  return redactor.text(value)
}
/** A quadratic pattern, such as /a+b/ on repeated `a`, already takes twice the limit at this length, and four times in the soak. */
const length = maxTextLength / inSoak(16, 8)
/**
 * The time of a thousand passes over each byte: more than ten times that of the slowest pattern, and far less than that of a nonlinear one.
 */
const limitMs = 10 * measureLooks(length, 100)

/** Each is repeated up to this length; chosen to make a backtracking pattern restart repeatedly. */
const pieces = [
  'a',
  '1',
  '4',
  ' ',
  'a.',
  'a-',
  'a@',
  'a@a.',
  'a@b.co ',
  'a@1.1.1.1.',
  '@',
  ':',
  'a:',
  '1:',
  '::',
  '1::1 ',
  '1.',
  '1.1.1.1 ',
  '1 ',
  '4 ',
  '4444 ',
  '4444-',
  '4444444 ',
  '411 411 ',
  'AA11 ',
  'AA11AA11',
  'DE89 ',
  'DE89-',
  'DE8937040044053201300 ',
  'DE89370400440532013000 ',
  'eyJ',
  'eyJ-',
  'eyJaaaaaaaa.',
  'eyJaaaaaaaa.a.',
  'sk-',
  'sk-a-',
  'sk_aaaaaaaaaaaaaaaaaaaa ',
  'AKIA',
  'ghp_',
  'github_pat_',
  'AIza',
  'xoxb-',
  'bearer ',
  'bearer a',
  'basic  ',
  'password',
  'password ',
  'password=',
  'password="',
  'password="\\"',
  'password=\\"',
  "token='",
  'token:        ',
  'cookie: ',
  '://',
  '://a:',
  '://a:b',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN ',
  '-----BEGIN A PRIVATE KEY-----END',
  'mysql ',
  'mysql -p ',
  'sshpass -p',
  'mariadb -p ',
  'redis-cli ',
  'redis-cli -a ',
  'docker login ',
  'docker login -p ',
  '<password>',
  '<a.password>x',
  '<token',
  '"name":"token",',
  '"name":"token token token","value":',
  '%2B49',
  '%2B1%20',
  '\\n',
  '\\na@',
  '"',
  '\\',
  '[redacted:',
  'tw_sk_',
  'tw_sk_aaaaaaaa_',
  '\u00e9a@',
  'tw_rt_',
  'glpat-',
  'SG.',
  'SG.a1',
  'npm_a',
  'dapi',
  'dapia1',
  'hooks.slack.com/services/',
  '?key=',
  '?key=a',
  '&sig=1',
  '--password ',
  '--token --',
  '--',
  'curl -u a',
  ' -u a:',
  ' -u ',
  '_pass=',
  'pass=a ',
  'a:b@',
  '://a:@',
  '://@',
  '%40',
  'a%40a.',
  '+1',
  '+1 ',
  'de89',
  'de89 ',
  'de8937040044053201300 ',
  '\u00fc',
  'a@\u00fc.',
  "password '",
  "password '\\",
  "=password('a",
  "password N'x''",
  'create user ',
  'create user a identified by ',
  'grant identified with a ',
  "identified by '",
  'grant ',
  'form-data;',
  'form-data; name=',
  'form-data; name=a',
  'form-data; name="pin"\r\n\r\n',
  'form-data; name="token"\r\n\r\n',
  'form-data; name="token"\r\na:',
  `x:${'form-data;name=a;'.repeat(60)}\r\n`,
  'identified ',
  'identified by the team ',
  'create user a identified ',
  'pin=',
  'pin=1',
  'pin:123 ',
  'pin = 123-',
  '"pin":"1234",',
  '"value":1234,',
  '"value":"a",',
  '"value":"a","name":"token",',
  'credentials": "',
  'connection_string\\":',
  '_prod_2_value',
  'token_prod',
  'token_prod_2_value_test',
  'token_2=1',
  'token1234',
  'tokenProd',
  'pwd_2_2_2_2',
  'token__prod.old.2',
  'token_2=-1.5e',
  '"credentials_prod_2',
  '123:',
  '%22%3A%22123',
  '%25',
  'password%25',
  'password%22',
  'password＝',
  '＝',
  'code',
  '  code: 123',
  'connection_',
]

/** By default, each piece stands behind one of them in turn, and alone. */
const beginnings = ['eyJ sk- @ :// password ', 'bearer ', 'token="']

test('no text of a sixteenth of the maximum length takes longer than reading it a thousand times, whatever it repeats', (t) => {
  redact('warm up a@b.co password=hunter22')
  for (const [at, piece] of pieces.entries()) {
    for (const beginning of ['', ...(isSoak ? beginnings : [beginnings[at % beginnings.length]])]) {
      const text = beginning + piece.repeat((length - 30) / piece.length)
      const ms = leastCpuMs(() => redact(text), limitMs / 4)
      t.true(ms < limitMs, `${beginning}${JSON.stringify(piece)} took ${ms} ms`)
    }
  }
})

const jsonLength = length / 4

/** Returns a list, an object with distinct names, and nested lists. */
function makeJsons(piece: string, nth: number): string[] {
  const item = JSON.stringify(piece)
  const count = Math.floor(jsonLength / (item.length + 10))
  const list = `[${Array.from({ length: count }, () => item).join(',')}]`
  const names = `{${Array.from({ length: count }, (_, at) => `"${at}":${item}`).join(',')}}`
  const depth = length / 2
  return nth === 0 ? [list, names, `${'['.repeat(depth)}${']'.repeat(depth)}`] : [list, names]
}

test('redaction of JSON stays within the same limit, whatever it repeats and however it is nested', (t) => {
  for (const [nth, piece] of pieces.entries()) {
    for (const text of makeJsons(piece, nth)) {
      const ms = leastCpuMs(() => redact(text), limitMs / 4)
      t.true(ms < limitMs, `${text.slice(0, 40)} took ${ms} ms`)
    }
  }
  for (const text of [
    `{${'"apiKey":[{"a":'.repeat(1_250)}1${'}]'.repeat(1_250)}}`,
    `${'{"value":'.repeat(2_500)}1${',"name":"password"}'.repeat(1_250)}${'}'.repeat(1_250)}`,
    `{${'"value":"a",'.repeat(2_500)}"name":"password"}`,
    `{"token${'_prod_2_value'.repeat(2_500)}":"a"}`,
    `{"value":"a"${',"name":"pin","key":"token"'.repeat(1_500)}}`,
    `{"name":"password"${',"value":"a"'.repeat(2_500)}}`,
    `[${'{"token":"a"},'.repeat(2_250)}1]`,
    `["-----BEGIN PRIVATE KEY-----"${',"a"'.repeat(7_500)}]`,
  ]) {
    const ms = leastCpuMs(() => redact(text), limitMs / 4)
    t.true(ms < limitMs, `${text.slice(0, 40)} took ${ms} ms`)
  }
})

test('the check for suspicious text takes linear time, whatever a text repeats', (t) => {
  const harmless = 'the fox '.repeat(2_000)
  for (const piece of [
    ...pieces,
    '":',
    '\\":',
    'token" :',
    'key ',
    'secret ',
    '"secret ',
    '\\\\"',
    '1e',
    '1.1',
    ': ',
    'a:b',
    '4444 ',
    'token" ',
  ]) {
    for (const text of [
      piece.repeat(length / piece.length),
      `"token ${harmless}${piece.repeat(50_000 / piece.length)}`,
    ]) {
      const bytes = Buffer.from(text)
      const ms = leastCpuMs(() => isSuspicious(bytes, 0, Math.min(bytes.length, length)), limitMs / 4)
      t.true(ms < limitMs, `${JSON.stringify(piece)} took ${ms} ms`)
    }
  }
})

test('a text made of finds is taken out whole rather than hashed find by find', (t) => {
  const { text } = redact('a@b.co '.repeat(20_000))
  t.regex(text, /^\[redacted:dense:[0-9a-f]{8}\]$/)
})
