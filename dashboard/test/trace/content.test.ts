import test from 'ava'
import { formatBytes, nameMime, readBase64 } from '../../src/trace/content/base64.ts'
import { countKnown, foldMiddle, type Message, readPart } from '../../src/trace/content/message.ts'
import { cutText, isCostlyMarkdown, splitLinks } from '../../src/trace/content/text.ts'

const text = (role: string, content: string): Message => ({ role, parts: [{ type: 'text', text: content }] })

test('parts of the normal form are read, and a form that is not known keeps its value', (t) => {
  t.deepEqual(readPart({ type: 'text', text: 'Hello' }), { form: 'text', text: 'Hello' })
  t.deepEqual(readPart({ type: 'tool_call', id: 'c1', name: 'search', arguments: { q: 1 } }), {
    form: 'call',
    id: 'c1',
    name: 'search',
    value: { q: 1 },
  })
  t.deepEqual(readPart({ type: 'tool_result', id: null, result: 'x' }), { form: 'result', id: null, value: 'x' })
  t.deepEqual(readPart({ type: 'blob', mime_type: 'image/png', bytes: 5 }), {
    form: 'media',
    url: null,
    mime: 'image/png',
    bytes: 5,
  })
  t.deepEqual(readPart({ type: 'text' }), { form: 'other', value: { type: 'text' } })
})

test('messages that the call before had are known, up to the first that differs', (t) => {
  const before = [text('system', 's'), text('user', 'u')]
  const answer = [text('assistant', 'a')]
  t.is(countKnown([...before, ...answer, text('user', 'more')], before, answer), 3)
  t.is(countKnown([text('system', 's'), text('user', 'other')], before, answer), 1)
  t.is(countKnown(before, [], []), 0)
})

test('the middle of more than 20 messages is folded', (t) => {
  t.deepEqual(foldMiddle(20), { head: 20, tail: 0 })
  t.deepEqual(foldMiddle(60), { head: 5, tail: 15 })
})

test('a long text is cut, never inside of a character', (t) => {
  t.deepEqual(cutText('short'), { shown: 'short', left: 0 })
  t.deepEqual(cutText('x'.repeat(20_010)), { shown: 'x'.repeat(20_000), left: 10 })
  t.deepEqual(cutText('abc😀d', 4), { shown: 'abc', left: 3 })
})

test('web addresses become links with their whole text; no other scheme does', (t) => {
  t.deepEqual(splitLinks('See https://example.com/a?b=c. Then <img src=x onerror=alert(1)>'), [
    { text: 'See ', href: null },
    { text: 'https://example.com/a?b=c', href: 'https://example.com/a?b=c' },
    { text: '. Then <img src=x onerror=alert(1)>', href: null },
  ])
  t.deepEqual(splitLinks('javascript:alert(1) data:text/html,x file:///etc/passwd'), [
    { text: 'javascript:alert(1) data:text/html,x file:///etc/passwd', href: null },
  ])
  t.deepEqual(splitLinks('http://'), [{ text: 'http://', href: null }])
  t.deepEqual(splitLinks(''), [])
})

test('base64 is told by its format and size', (t) => {
  const png = `iVBORw0KGgo${'A1b2'.repeat(104_000)}`
  const read = readBase64(png)
  t.is(read?.format, 'PNG')
  t.is(formatBytes(read?.bytes ?? 0), '312 KB')
  t.true(read?.imageUrl?.startsWith('data:image/png;base64,iVBOR'))
  t.is(readBase64(`data:image/svg+xml;base64,${'A1b2'.repeat(100)}`)?.imageUrl, null, 'SVG can hold a script')
  t.is(readBase64(`data:image/svg+xml;base64,${'A1b2'.repeat(100)}`)?.format, 'SVG')
  t.is(readBase64('data:application/pdf;base64,JVBERi0x')?.bytes, 6)
})

test('text, hex digits and long words are no base64', (t) => {
  t.is(readBase64('The quick brown fox jumps over the lazy dog. '.repeat(20)), null)
  t.is(readBase64('0123456789abcdef'.repeat(20)), null)
  t.is(readBase64('a'.repeat(5_000)), null)
  t.is(readBase64('iVBORw0KGgo'), null)
})

test('media types and sizes are named as people write them', (t) => {
  t.deepEqual(['image/png', 'audio/x-wav', null, 'image/svg+xml'].map(nameMime), ['PNG', 'WAV', 'binary data', 'SVG'])
  t.deepEqual([0, 999, 1_000, 12_345, 999_499, 999_500, 12_000_000].map(formatBytes), [
    '0 B',
    '999 B',
    '1.0 KB',
    '12 KB',
    '999 KB',
    '1.0 MB',
    '12 MB',
  ])
})

test('a text that nests very deep, or is full of marks of emphasis, is not read as Markdown', (t) => {
  for (const mark of ['>', '> ', '- ', '1. ', '> 1) * '])
    t.true(isCostlyMarkdown(`First.\n${mark.repeat(30)}deep`), mark)
  t.true(isCostlyMarkdown(`${' '.repeat(200)}- deep`))
  t.true(isCostlyMarkdown('*a_ '.repeat(2_000)))
  const usual = [
    '- one',
    '  - two',
    '    1. three',
    '> > quoted',
    '1.5 and 2.5',
    '-'.repeat(80),
    '>'.repeat(20),
    'some_name **bold**',
  ]
  t.false(isCostlyMarkdown(usual.join('\n').repeat(100)))
})

test('punctuation at the end of an address belongs to the sentence, and a million marks within one cost no quadratic time', (t) => {
  t.deepEqual(splitLinks('https://a.test/x?!.)')[0], { text: 'https://a.test/x', href: 'https://a.test/x' })
  // In quadratic time this would take a quarter of an hour.
  const address = `https://a.test/${'.'.repeat(1_000_000)}a`
  t.is(splitLinks(address)[0]?.text.length, address.length)
})
