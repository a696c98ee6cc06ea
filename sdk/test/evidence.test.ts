import test from 'ava'
import { leastCpuMs } from '../../test/_kit/looks.ts'
import { deriveEvidence } from '../src/evidence.ts'
import { piecesOf } from '../src/pieces.ts'
import { readMessages } from '../src/read-messages.ts'
import { makeToolNotes } from '../src/tool-notes.ts'

const ask = { role: 'user', content: 'What is the weather in Reykjavik, and who is the mayor?' }
const call = (id: string, args: string): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: args } }],
})
const result = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content })

const nobody = (_callId: string): boolean => false
const derive = (messages: readonly object[], output: string, notes = makeToolNotes(), isReadByOthers = nobody) =>
  deriveEvidence(readMessages(messages), output, notes, isReadByOthers)

test('a result is consumed if it is in the prompt, and read if the output quotes a piece that only it contains', (t) => {
  const messages = [
    ask,
    call('a', '{"q":"weather Reykjavik"}'),
    result('a', '{"city":"Reykjavik","degrees":-3.5,"sky":"drizzle"}'),
    call('b', '{"q":"mayor of Reykjavik"}'),
    result('b', '{"mayor":"Gunnhildur","city":"Reykjavik"}'),
  ]
  t.deepEqual(derive(messages, 'There is drizzle in Reykjavik.'), { consumed: ['a', 'b'], read: ['a'] })
  t.deepEqual(derive(messages, 'The mayor is GUNNHILDUR.'), { consumed: ['a', 'b'], read: ['b'] })
  t.deepEqual(derive(messages, 'I could not find out about Reykjavik.'), { consumed: ['a', 'b'], read: [] })
})

test('a number is recognised in another spelling', (t) => {
  const messages = [ask, call('a', '{}'), result('a', '{"population":140000,"share":0.750}')]
  t.deepEqual(derive(messages, 'About 140,000 people').read, ['a'])
  t.deepEqual(derive(messages, 'A share of 0.75').read, ['a'])
  t.deepEqual(derive(messages, 'Nothing of that').read, [])
})

test('a part of an identifier, and a text inside of JSON inside of a text, are recognised', (t) => {
  const messages = [
    ask,
    call('a', '{}'),
    result('a', '{"page":"intro\\nKaffihus is at https://kaffi.example/menu/42"}'),
  ]
  t.deepEqual(derive(messages, 'Try the Kaffihus!').read, ['a'])
  t.deepEqual(derive(messages, 'kaffi.example has one').read, ['a'])
})

test('a word of a language without blanks is recognised', (t) => {
  const messages = [ask, call('a', '{}'), result('a', '{"答え":"東京都庁舎です"}')]
  t.deepEqual(derive(messages, '場所は都庁舎').read, ['a'])
  t.deepEqual(derive(messages, '知らない').read, [])
})

test('a piece that the prompt or the tool input already contains does not show that the result was read', (t) => {
  const messages = [
    ask,
    call('a', '{"q":"Esjan"}'),
    result('a', '{"mountain":"Esjan","near":"Reykjavik","height":914}'),
  ]
  t.deepEqual(derive(messages, 'Esjan is near Reykjavik').read, [])
  t.deepEqual(derive(messages, 'Esjan is 914 m high').read, ['a'])
})

test('an answer or a call further on in the prompt that quotes the result is a reading too', (t) => {
  const first = [ask, call('a', '{}'), result('a', '{"mayor":"Gunnhildur"}')]
  t.deepEqual(derive([...first, { role: 'assistant', content: 'It is Gunnhildur.' }], 'Bye').read, ['a'])
  t.deepEqual(derive([...first, call('b', '{"q":"Gunnhildur"}')], 'Bye').read, ['a'])
})

test('a tool called by the program with a piece of the result is a reading; called before it came, it is not', (t) => {
  const messages = [ask, call('a', '{}'), result('a', '{"mayor":"Gunnhildur","since":1998}')]
  const later = makeToolNotes()
  later.given('{"name":"nobody"}')
  later.gave('a')
  later.given('{"name":"Gunnhildur"}')
  t.deepEqual(derive(messages, 'Bye', later).read, ['a'])
  const earlier = makeToolNotes()
  earlier.given('{"name":"Gunnhildur"}')
  earlier.gave('a')
  t.deepEqual(derive(messages, 'It is Gunnhildur', earlier).read, [])
})

test('an input that is not known as a whole may contain every earlier result, and no later one', (t) => {
  const messages = [ask, call('a', '{}'), result('a', '{"mayor":"Gunnhildur","since":1998}')]
  for (const input of [null, `${'x'.repeat(16_384)} Gunnhildur`]) {
    const later = makeToolNotes()
    later.gave('a')
    later.given(input)
    t.deepEqual(derive(messages, 'Bye', later).read, ['a'])
    const earlier = makeToolNotes()
    earlier.given(input)
    earlier.gave('a')
    earlier.given('x'.repeat(16_384))
    t.deepEqual(derive(messages, 'Bye', earlier).read, [])
  }
})

test('an input that is kept no longer may contain every earlier result, and no later one', (t) => {
  const messages = [ask, call('a', '{}'), result('a', '{"mayor":"Gunnhildur"}'), result('b', '{"mountain":"Esjan"}')]
  for (const name of ['Gunnhildur', 'nobody']) {
    const notes = makeToolNotes()
    notes.gave('a')
    notes.given(JSON.stringify({ name }))
    notes.gave('b')
    for (let nth = 0; nth < 255; nth++) notes.given('{}')
    t.deepEqual(derive(messages, 'Bye', notes).read, name === 'nobody' ? [] : ['a'], 'all inputs are known')
    notes.given('{}')
    t.deepEqual(derive(messages, 'Bye', notes).read, ['a'])
  }
})

test('the result of a call whose end is kept no longer may be in any input', (t) => {
  const messages = [ask, call('a', '{}'), result('a', '{"mayor":"Gunnhildur"}')]
  const notes = makeToolNotes()
  notes.gave('first')
  notes.gave('a')
  notes.given('{"name":"nobody"}')
  for (let nth = 0; nth < 999; nth++) notes.gave(`c${nth}`)
  t.deepEqual(derive(messages, 'Bye', notes).read, [])
  notes.gave('last')
  t.deepEqual(derive(messages, 'Bye', notes).read, ['a'])
})

test('a result that others than the model may read counts as read', (t) => {
  const messages = [ask, call('a', '{}'), result('a', 'Gunnhildur'), call('b', '{}'), result('b', 'Esjan')]
  t.deepEqual(
    derive(messages, 'Bye', makeToolNotes(), (id) => id === 'b'),
    { consumed: ['a', 'b'], read: ['b'] },
  )
})

test('if it cannot be determined, the result counts as read', (t) => {
  t.deepEqual(derive([ask, call('a', '{}'), result('a', 'true')], 'Yes').read, ['a'])
  t.deepEqual(derive([ask, call('a', '{}'), result('a', '')], 'Yes').read, ['a'])
  const long = `Gunnhildur ${'and so on '.repeat(10_000)}`
  t.deepEqual(derive([ask, call('a', '{}'), result('a', long)], 'Yes').read, ['a'])
})

test('a prompt without results gives no evidence', (t) => {
  t.deepEqual(derive([ask], 'Gunnhildur'), { consumed: [], read: [] })
  t.deepEqual(deriveEvidence(readMessages('What is it?'), 'x', null, nobody), { consumed: [], read: [] })
  t.deepEqual(derive([ask, { role: 'tool', content: 'without an id' }], 'x'), { consumed: [], read: [] })
})

const shapes: Record<string, readonly object[]> = {
  'OpenAI chat': [ask, call('id1', '{}'), result('id1', 'Gunnhildur')],
  'OpenAI responses': [
    { role: 'user', content: [{ type: 'input_text', text: 'Who?' }] },
    { type: 'function_call', call_id: 'id1', name: 'search', arguments: '{}' },
    { type: 'function_call_output', call_id: 'id1', output: 'Gunnhildur' },
  ],
  Anthropic: [
    { role: 'user', content: 'Who?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'id1', name: 'search', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'id1', content: [{ type: 'text', text: 'Gunnhildur' }] }],
    },
  ],
  'the Vercel AI SDK': [
    { role: 'user', content: 'Who?' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'id1', toolName: 'search', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'id1', output: { type: 'text', value: 'Gunnhildur' } }],
    },
  ],
  Gemini: [
    { role: 'user', parts: [{ text: 'Who?' }] },
    { role: 'model', parts: [{ functionCall: { id: 'id1', name: 'search', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'id1', name: 'search', response: { name: 'Gunnhildur' } } }] },
  ],
  OpenTelemetry: [
    { role: 'user', parts: [{ type: 'text', content: 'Who?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'id1', name: 'search', arguments: {} }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'id1', response: 'Gunnhildur' }] },
  ],
}
for (const [name, messages] of Object.entries(shapes)) {
  test(`messages in the shape of ${name} are understood`, (t) => {
    t.deepEqual(derive(messages, 'Gunnhildur'), { consumed: ['id1'], read: ['id1'] })
    t.deepEqual(derive(messages, 'Nobody'), { consumed: ['id1'], read: [] })
  })
}

test('everyday words are no pieces, whatever their case', (t) => {
  t.deepEqual([...piecesOf('There would be a RESULT, 7 of them, within Akureyri: A1', 1_000)], ['akureyri', 'a1'])
})

test('the number of scanned characters is limited', (t) => {
  t.deepEqual([...piecesOf('Akureyri Husavik', 8)], ['akureyri'])
})

const manyChars = 32_768
const rows: Record<string, string> = {
  'zeros inside of a fraction': `1.${'0'.repeat(manyChars)}1`,
  backslashes: '\\'.repeat(manyChars),
  'combining marks in the wrong order': `a${'\u0301'.repeat(manyChars / 2)}${'\u0323'.repeat(manyChars / 2)}`,
}
/** Enough for the ticks in which CPU time may be counted. */
const times = 32
const leastMs = (text: string): number =>
  leastCpuMs(() => {
    for (let time = 0; time < times; time += 1) piecesOf(text, text.length)
  })
for (const [what, text] of Object.entries(rows)) {
  test(`a long row of ${what} takes about as long as ordinary text of the same length`, (t) => {
    const ordinaryMs = leastMs('Gunnhildur has been mayor since 1998. '.repeat(text.length / 38))
    const tookMs = leastMs(text)
    // In quadratic time, hundreds of times as long.
    t.true(tookMs < 30 * ordinaryMs, `${tookMs} ms, and ${ordinaryMs} ms for ordinary text`)
  })
}

test('a number keeps its digits, except for zeros at the end of a fraction', (t) => {
  const spellings = { '1,000.50': '1000.5', '10.00': '10', '1.001': '1.001', '120': '120', '0.10100': '0.101' }
  for (const [given, piece] of Object.entries(spellings)) t.true(piecesOf(given, 100).has(piece), given)
})

test('marks that belong to a letter, and escaped letters behind several backslashes, are recognised', (t) => {
  t.deepEqual([...piecesOf('Sa\u0308ulenhalle', 100)], ['s\u00e4ulenhalle'])
  t.deepEqual([...piecesOf('S\\\\u00e4ulenhalle\\nEsjan', 100)], ['s\u00e4ulenhalle', 'esjan'])
})
