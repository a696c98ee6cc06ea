import test from 'ava'
import type { Content } from '../../../src/otlp/event.ts'
import { applyContentMode, redactAttributes } from '../../../src/otlp/redact/content-mode.ts'
import { openRedactor, type Redactor } from '../../../src/otlp/redact/redactor.ts'
import type { AttributeMap } from '../../../src/otlp/span.ts'

const redactor = openRedactor(new Uint8Array(32).fill(1))
const mail = 'ada@example.com'
const marked = redactor.text(mail).text

const broken: Redactor = {
  text: () => {
    throw new Error('broken')
  },
  json: () => {
    throw new Error('broken')
  },
  member: () => {
    throw new Error('broken')
  },
}

const content: Content = {
  inputMessages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: `write to ${mail}` },
        { type: 'image', url: `https://a/?u=${mail}` },
        { type: 'blob', mime_type: 'image/png', bytes: 4 },
      ],
    },
  ],
  outputMessages: [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: mail },
        { type: 'tool_call', id: 'c1', name: 'send', arguments: { to: mail, password: 'x' } },
        { type: 'tool_result', id: 'c1', result: [mail] },
      ],
    },
  ],
  toolArguments: { to: mail },
  toolResult: mail,
}
const clean: Content = {
  inputMessages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  outputMessages: null,
  toolArguments: null,
  toolResult: null,
}
const nothing: Content = { inputMessages: null, outputMessages: null, toolArguments: null, toolResult: null }

test('full keeps the content and none keeps nothing of it', (t) => {
  t.deepEqual(applyContentMode('full', content, broken), { content, redacted: false, failed: false })
  t.deepEqual(applyContentMode('none', content, broken), { content: null, redacted: true, failed: false })
  t.deepEqual(applyContentMode('none', nothing, broken), { content: null, redacted: false, failed: false })
})

test('redacted reaches every part of a message, the arguments and the result', (t) => {
  const kept = applyContentMode('redacted', content, redactor)
  t.true(kept.redacted)
  t.false(kept.failed)
  const text = JSON.stringify(kept.content)
  t.false(text.includes(mail))
  t.false(text.includes('"password":"x"'))
  t.is(text.split(marked).length - 1, 7)
  t.deepEqual(kept.content?.inputMessages?.[0]?.parts[2], { type: 'blob', mime_type: 'image/png', bytes: 4 })
})

test('content with nothing to find is kept without the flag', (t) => {
  t.deepEqual(applyContentMode('redacted', clean, redactor), { content: clean, redacted: false, failed: false })
})

test('an error of the redactor drops the content and says so', (t) => {
  t.deepEqual(applyContentMode('redacted', content, broken), { content: null, redacted: true, failed: true })
})

const attributes: AttributeMap = new Map<string, string | number>([
  ['gen_ai.input.messages', `[{"to":"${mail}"}]`],
  ['output.value', mail],
  ['retrieval.documents.0.document.content', mail],
  ['gen_ai.usage.input_tokens', 12],
  ['http.request.header.authorization', 'x'],
  ['note', mail],
])

test('full keeps all attributes', (t) => {
  t.is(redactAttributes('full', attributes, null, broken).attributes, attributes)
})

test('none removes content attributes and still redacts the others', (t) => {
  const kept = redactAttributes('none', attributes, null, redactor)
  t.deepEqual([...kept.attributes.keys()], ['gen_ai.usage.input_tokens', 'http.request.header.authorization', 'note'])
  t.is(kept.attributes.get('note'), marked)
  t.is(kept.attributes.get('gen_ai.usage.input_tokens'), 12)
  t.regex(JSON.stringify(kept.attributes.get('http.request.header.authorization')), /^"\[redacted:secret:/)
  t.true(kept.redacted)
})

test('redacted drops what the kept content holds on the same side and redacts the rest', (t) => {
  const kept = redactAttributes('redacted', attributes, clean, redactor)
  t.false(kept.attributes.has('gen_ai.input.messages'))
  t.is(kept.attributes.get('output.value'), marked)
  t.is(kept.attributes.get('retrieval.documents.0.document.content'), marked)
  t.false([...kept.attributes.values()].some((value) => JSON.stringify(value).includes(mail)))
  const without = redactAttributes('redacted', attributes, null, redactor)
  t.is(without.attributes.get('gen_ai.input.messages'), `[{"to":"${marked}"}]`)
})

test('attributes with nothing to find are kept without the flag', (t) => {
  const plain: AttributeMap = new Map<string, string | number>([['gen_ai.request.model', 'gpt-5']])
  t.deepEqual(redactAttributes('redacted', plain, null, redactor), {
    attributes: plain,
    redacted: false,
    failed: false,
  })
})

test('an attribute on which the redactor fails goes, and the others stay', (t) => {
  const fussy: Redactor = {
    ...redactor,
    member: (name, value) => (name === 'note' ? broken.member(name, value) : redactor.member(name, value)),
  }
  const kept = redactAttributes('redacted', attributes, null, fussy)
  t.false(kept.attributes.has('note'))
  t.is(kept.attributes.get('output.value'), marked)
  t.true(kept.failed)
})
