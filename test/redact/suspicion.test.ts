import test from 'ava'
import { maxTextLength } from '../../src/redact/cut-text.ts'
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious, isSuspiciousKey, isSuspiciousNumber } from '../../src/redact/suspicion.ts'
import { inSoak } from '../_kit/soak.ts'
import { makeOrdinaryTexts } from './_ordinary.ts'
import { openMaker, planted } from './_texts.ts'

const redactor = openRedactor(new Uint8Array(32).fill(5))
const cases = inSoak(3_000, 6_000)

/** Tests the text inside a request: the bytes around it must not count. */
function ask(text: string, before = '', behind = ''): boolean {
  const bytes = Buffer.from(before + text + behind)
  return isSuspicious(bytes, Buffer.byteLength(before), bytes.length - Buffer.byteLength(behind))
}

test('every text that redaction would change is suspicious', (t) => {
  const maker = openMaker(20_261_120)
  let changed = 0
  for (let nth = 0; nth < cases; nth++) {
    const text = maker.text().toWellFormed()
    const before = 'ab:"token'.slice(0, maker.random(10))
    const behind = '\\":=1@'.slice(0, maker.random(7))
    if (!redactor.text(text).changed) continue
    changed++
    if (!ask(text, before, behind)) t.fail(`missed ${JSON.stringify({ before, text, behind })}`)
  }
  t.true(changed > cases / 4, `only ${changed} texts were changed`)
})

test('a name of which redaction would change anything is suspicious', (t) => {
  const maker = openMaker(7)
  let changed = 0
  for (let nth = 0; nth < cases; nth++) {
    const name = maker.text().toWellFormed()
    if (name.length > 200 || !redactor.member(name, 'an ordinary value').changed) continue
    changed++
    if (!isSuspiciousKey(name)) t.fail(`missed ${JSON.stringify(name)}`)
  }
  t.true(changed > cases / 8, `only ${changed} names were changed`)
})

test('each secret is suspicious at the start, at the end, in JSON and in JSON in JSON', (t) => {
  for (const [kind, secret, before = '', behind = ''] of planted) {
    const whole = `${before}${secret}${behind}`
    for (const [start, depths] of [
      ['', 5],
      ['x\n', 4],
    ] as const) {
      let json = whole
      for (let depth = 0; depth < depths; depth++) {
        t.true(redactor.text(json).changed, `${kind} ${depth} deep`)
        t.true(ask(json), `${kind} ${depth} deep`)
        t.true(ask(`é${json}\ufffd`), `${kind} ${depth} deep`)
        json = JSON.stringify({ note: `${start}${json}` })
      }
    }
  }
})

const blanks = ' '.repeat(5_000)
const hidden: readonly string[] = [
  `{"password"${blanks}: "hunter2"}`,
  `{"password \\" x": "hunter2"}`,
  `{"next_token\\": passcode": "hunter2"}`,
  `{"${'long '.repeat(400)}password": "x"}`,
  `{"a": {"cookies": ["x"]}}`,
  `{"apiKey":7}`,
  `{"api\\u004bey":"x"}`,
  '{"n":42e14}',
  '{"n":[4.111111111111111e15]}',
  '{"n":4111111111111111.0}',
  '42e14',
  ' 4111111111111111.0 ',
  '{"url":"postgres:\\/\\/app:hunter2@db"}',
  '{"note":"\\u20134111111111111111"}',
  '{"note":"\\tDE89370400440532013000"}',
  '{"note":"\\u200b203.0.113.77"}',
  '{"note":"\\u200b4111 1111 1111 1111"}',
  '{"note":"token=\\u0442\\u043e\\u043a\\u0435\\u043d\\u044b"}',
  'Set-Cookie:     ',
  'Cookie:\n\n  =  ',
  'token=\u00a0\u00a0"hunter2"',
  'password=пароль',
  'bearer\u2003abc123def456',
  '{"lines":["-----BEGIN PRIVATE KEY-----","MIIEpAIBAAKCAQEA"]}',
  '\\N@example.com',
  '"://user:pw@"',
  `${'a '.repeat(maxTextLength / 2)}b`,
]

test('secrets in odd spellings are suspicious, and redacted', (t) => {
  for (const text of hidden) {
    t.true(redactor.text(text).changed, text.slice(0, 80))
    t.true(ask(text), text.slice(0, 80))
  }
})

test('numbers that would be redacted are suspicious, and no others', (t) => {
  for (const value of [4_111_111_111_111_111, 4_111_111_111_111_111n, 4_222_222_222_222, 6_011_000_000_000_000_019n]) {
    t.is(isSuspiciousNumber(value), redactor.json(value).changed, String(value))
    t.is(isSuspiciousNumber(value), true, String(value))
  }
  for (const value of [
    0,
    -1,
    1.5,
    1_767_225_600_000,
    4_111_111_111_111_112,
    1_767_225_600_000_000_000n,
    -4_111_111_111_111_111,
    Number.NaN,
    4e300,
  ]) {
    t.false(isSuspiciousNumber(value), String(value))
    t.false(redactor.json(value).changed)
  }
})

test('ordinary names are not suspicious', (t) => {
  for (const name of `gen_ai.request.model gen_ai.usage.input_tokens gen_ai.request.max_tokens llm.token_count.prompt
    gen_ai.input.messages ai.response.finishReason user.id server.port llm.time_to_first_token code.function
    retrieval.documents.0.document.content tracewright.tool.input_hash gen_ai.prompt.0.tool_calls.1.arguments`.split(
    /\s+/,
  ))
    t.false(isSuspiciousKey(name), name)
  for (const name of `http.request.header.authorization db.password aws.secret_access_key mailto:a@example.com
    my_githubtoken api-key`.split(/\s+/))
    t.true(isSuspiciousKey(name), name)
})

test('fewer than one in ten ordinary texts is suspicious', (t) => {
  const texts = makeOrdinaryTexts(2_000, 11)
  const suspicious = texts.filter((text) => ask(text))
  for (const text of texts) t.false(redactor.text(text).changed, text.slice(0, 120))
  t.true(
    suspicious.length < texts.length / 10,
    `${suspicious.length} of ${texts.length}: ${suspicious[0]?.slice(0, 300)}`,
  )
})

test('bytes that are no text are read as the redactor reads them', (t) => {
  t.true(isSuspicious(Buffer.from('\xa0bearer\xa0abc123def456', 'latin1'), 0, 20))
  t.false(isSuspicious(Uint8Array.of(0xff, 0xd8, 0xff, 0x00, 0x80), 0, 5))
  t.false(isSuspicious(new Uint8Array(0), 0, 0))
})
