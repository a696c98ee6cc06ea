import test from 'ava'
import type { AttributeMap, Span } from '../../src/event/span.ts'
import { redactAttributes, redactSpan, storedApart } from '../../src/redact/redact-span.ts'
import { openRedactor, type Redactor } from '../../src/redact/redactor.ts'
import { makeSpan, toMap } from '../normalise/_span.ts'

const redactor = openRedactor(new Uint8Array(32).fill(1))
const mail = 'ada@example.com'
const marked = redactor.text(mail).text

const fail = (): never => {
  throw new Error('broken')
}
const broken: Redactor = {
  text: fail,
  name: fail,
  id: fail,
  json: fail,
  forget: () => undefined,
  withheld: () => 0,
  member: fail,
}

const attributes = {
  'gen_ai.input.messages': `[{"to":"${mail}"}]`,
  'output.value': mail,
  'retrieval.documents.0.document.content': mail,
  'gen_ai.usage.input_tokens': 12,
  'http.request.header.authorization': 'x',
  note: mail,
}

const linkTo = (given: AttributeMap): Span['links'] => [
  { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', attributes: given },
]

const full: Span = {
  ...makeSpan({
    attributes,
    statusMessage: `no such user: ${mail}`,
    events: [
      { name: 'gen_ai.choice', attributes: { message: mail, index: 0, anything: 'else' } },
      { name: `mail to ${mail}`, attributes: { content: mail, retries: 2 } },
    ],
  }),
  links: linkTo(toMap({ why: mail })),
}
const plain: Span = {
  ...makeSpan({
    attributes: { 'gen_ai.request.model': 'gpt-5', 'input.value': 'hello' },
    statusMessage: 'ok',
    events: [{ name: 'gen_ai.choice', attributes: { message: 'hi' } }],
  }),
  links: linkTo(new Map()),
}

const frozenJson = JSON.stringify(toJson(full))

function toJson(span: Span): unknown {
  return JSON.parse(
    JSON.stringify(span, (_, value: unknown) =>
      value instanceof Map ? [...value] : value instanceof Set ? [] : typeof value === 'bigint' ? String(value) : value,
    ),
  )
}

test.afterEach('the given span is as it was', (t) => {
  t.is(JSON.stringify(toJson(full)), frozenJson)
})

test('mode `full` keeps the span unchanged', (t) => {
  t.deepEqual(redactSpan('full', full, broken), { span: full, redacted: false, failed: false })
  t.is(redactSpan('full', full, broken).span, full)
})

test('redacted reaches attributes, events and their names, links and the status message', (t) => {
  const { span, redacted, failed } = redactSpan('redacted', full, redactor)
  t.true(redacted)
  t.false(failed)
  const text = JSON.stringify(toJson(span))
  t.false(text.includes(mail))
  t.is(text.split(marked).length - 1, 9)
  t.is(span.attributes.get('gen_ai.input.messages'), `[{"to":"${marked}"}]`)
  t.is(span.attributes.get('gen_ai.usage.input_tokens'), 12)
  t.regex(span.attributes.get('http.request.header.authorization') as string, /^\[redacted:secret:/)
  t.is(span.events[1]?.name, `mail to ${marked}`)
  t.is(span.statusMessage, `no such user: ${marked}`)
  t.is(span.links[0]?.attributes.get('why'), marked)
})

test('none keeps names and listed attributes, redacted, and nothing else', (t) => {
  const { span, redacted } = redactSpan('none', { ...full, traceState: 'a=b' }, redactor)
  t.true(redacted)
  t.deepEqual([...span.attributes], [['gen_ai.usage.input_tokens', 12]])
  t.deepEqual(
    span.events.map(({ name, attributes: of }) => [name, of.size]),
    [
      ['gen_ai.choice', 0],
      [`mail to ${marked}`, 0],
    ],
  )
  t.deepEqual([span.statusMessage, span.traceState, span.links[0]?.attributes.size], ['', '', 0])
  t.false(JSON.stringify(toJson(span)).includes(mail))
})

test('none keeps a listed attribute only where it is a name or a measure, and redacts it', (t) => {
  const given = {
    'user.id': mail,
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.response.finish_reasons': ['stop'],
    'session.id': 'x'.repeat(257),
    'gen_ai.agent.name': { first: 'a' },
    'gen_ai.tool.name': 'look up an order',
    'gen_ai.usage.input_tokens': 'my password is x',
    'server.address': 'said to be api.example.com',
    'service.name': 'shop',
  }
  const { attributes: left } = redactAttributes('none', toMap(given), redactor)
  t.deepEqual(Object.fromEntries(left), {
    'user.id': marked,
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.tool.name': 'look up an order',
    'service.name': 'shop',
  })
})

test('redacted reaches the name of the span and its trace state', (t) => {
  const { span } = redactSpan('redacted', { ...plain, name: `chat ${mail}`, traceState: `a=${mail}` }, redactor)
  t.deepEqual([span.name, span.traceState], [`chat ${marked}`, `a=${marked}`])
})

test('a span with nothing to find is given back itself, and parts with nothing to find are shared', (t) => {
  t.deepEqual(redactSpan('redacted', plain, redactor), { span: plain, redacted: false, failed: false })
  t.is(redactSpan('redacted', plain, redactor).span, plain)
  const { span } = redactSpan('redacted', { ...plain, statusMessage: mail }, redactor)
  t.is(span.attributes, plain.attributes)
  t.is(span.events, plain.events)
  t.is(span.links, plain.links)
  t.is(span.resource, plain.resource)
})

test('data that is stored separately is removed from the span in every mode, which does not count as redaction', (t) => {
  const given = makeSpan({
    attributes: { ...Object.fromEntries(storedApart.map((key) => [key, 'AAAA'])), 'server.port': 1 },
  })
  for (const mode of ['full', 'redacted', 'none'] as const) {
    const { span, redacted } = redactSpan(mode, given, redactor)
    t.deepEqual([...span.attributes], [['server.port', 1]])
    t.false(redacted)
  }
  t.is(given.attributes.size, 4)
})

test('a value on which redaction fails is removed and reported, and the rest is kept', (t) => {
  const fussy: Redactor = {
    ...redactor,
    text: fail,
    member: (name, value) => (name === 'note' ? fail() : redactor.member(name, value)),
  }
  const { span, redacted, failed } = redactSpan('redacted', full, fussy)
  t.true(redacted)
  t.true(failed)
  t.false(span.attributes.has('note'))
  t.is(span.attributes.get('output.value'), marked)
  t.is(span.statusMessage, '')
  t.is(span.events[1]?.name, '')
})

test('shared attributes are redacted by the same rules', (t) => {
  const map = toMap(attributes)
  t.is(redactAttributes('full', map, broken).attributes, map)
  t.deepEqual([...redactAttributes('none', map, redactor).attributes.keys()], ['gen_ai.usage.input_tokens'])
  t.is(redactAttributes('redacted', map, redactor).attributes.get('note'), marked)
  const same = toMap({ 'service.name': 'shop' })
  t.deepEqual(redactAttributes('redacted', same, redactor), { attributes: same, redacted: false, failed: false })
  t.is(redactAttributes('redacted', same, redactor).attributes, same)
  t.true(redactAttributes('redacted', map, broken).failed)
})
