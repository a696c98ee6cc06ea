// An invented dialect is understood from its description alone, and changes nothing for the others.
import test from 'ava'
import type { Names } from '../../../src/event/names.ts'
import type { Attributes, Span } from '../../../src/event/span.ts'
import type { Dialect } from '../../../src/normalise/merge/definition.ts'
import { mergeDialects } from '../../../src/normalise/merge/merge.ts'
import { orders } from '../../../src/normalise/merge/orders.ts'
import { inAttributes } from '../../../src/normalise/messages/sources.ts'
import { normalise, readContent } from '../../../src/normalise/normalise.ts'
import { allDialects, standardDialects } from '../../../src/normalise/registry.ts'
import { mergeContentSides } from '../../../src/redact/content-attributes.ts'
import { counts, makeSpan, type SpanGiven } from '../_span.ts'

const acme: Dialect = {
  name: 'acme',
  marks: { scopes: ['acme.tracing*'] },
  kinds: [{ attribute: 'acme.kind', kinds: { model: 'llm', tool: 'tool', worker: 'agent' } }],
  operations: { ponder: 'chain' },
  toolSpans: ['acme runs '],
  names: {
    agent: ['acme.worker'],
    session: ['acme.session'],
    provider: [({ attributes }) => (attributes.has('acme.model') ? 'acme' : null)],
    requestModel: ['acme.model'],
    responseId: ['acme.answer'],
    inputTokens: ['acme.tokens.in'],
    outputTokens: ['acme.tokens.out'],
    cachedTokens: ['acme.tokens.cached'],
    toolName: ['acme.tool'],
    toolCallId: ['acme.call'],
    toolArguments: ['acme.arguments'],
    toolResult: ['acme.result'],
  },
  bare: { inputTokens: ['tokens'] },
  own: { finishReasons: ['why'], contextAgent: ['who'] },
  messages: [inAttributes(['acme.prompt'], ['acme.said'])],
  content: { in: ['acme.prompt', 'acme.arguments', 'acme.part.#'], out: ['acme.said', 'acme.result'] },
  reads: {
    excludesCache: { on: { own: true }, read: ({ span }) => span.scope.name === 'acme.tracing.beside' },
    hasFailed: { on: { attributes: ['acme.ok'] }, read: ({ attributes }) => attributes.get('acme.ok') === false },
    isRunId: (id) => id.startsWith('acme-run-'),
  },
}
const withAcme = mergeDialects([...allDialects, acme], orders, standardDialects)

const read = (given: SpanGiven) => normalise(makeSpan(given), withAcme)
const readWithoutAcme = (given: SpanGiven) => normalise(makeSpan(given))

const call: SpanGiven = {
  attributes: {
    'acme.kind': 'Model',
    'acme.model': 'acme-large',
    'acme.answer': 'r-1',
    'acme.session': 's-1',
    'acme.worker': 'digger',
    'acme.tokens.in': 100,
    'acme.tokens.out': '20',
    'acme.tokens.cached': 60,
    'acme.prompt': 'Dig.',
    'acme.said': 'Dug.',
  },
}
const toolCall: SpanGiven = {
  attributes: {
    'acme.kind': 'tool',
    'acme.tool': 'shovel',
    'acme.call': 'c-1',
    'acme.arguments': '{"depth": 2}',
    'acme.result': 'a hole',
  },
}

test('kind, model, tokens, session and agent of a model call', (t) => {
  const event = read(call)
  t.like(event, { kind: 'llm', requestModel: 'acme-large', model: 'acme-large', provider: 'acme', responseId: 'r-1' })
  t.like(event, { sessionId: 's-1', agentOwn: 'digger', status: 'ok' })
  t.deepEqual(counts(event.usage), [100, 20, 60, null, null])
  t.like(readWithoutAcme(call), { kind: 'other', model: null, provider: null, sessionId: null, agentOwn: null })
  t.deepEqual(counts(readWithoutAcme(call).usage), [null, null, null, null, null])
})

test('a tool call, with the same hash of its arguments as in any other dialect', (t) => {
  const event = read(toolCall)
  t.like(event, { kind: 'tool', toolName: 'shovel', toolCallId: 'c-1' })
  const known = readWithoutAcme({
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{"depth":2}' },
  })
  t.regex(event.inputHash ?? '', /^sha256:/)
  t.is(event.inputHash, known.inputHash)
  t.is(read({ name: 'acme runs pickaxe', attributes: { 'acme.kind': 'tool' } }).toolName, 'pickaxe')
  t.like(readWithoutAcme(toolCall), { kind: 'other', toolName: null, toolCallId: null, inputHash: null })
})

test('content, and what redaction takes for it', (t) => {
  const content = readContent(makeSpan(call), withAcme)
  t.deepEqual(content.inputMessages, [{ role: 'user', parts: [{ type: 'text', text: 'Dig.' }] }])
  t.deepEqual(content.outputMessages, [{ role: 'assistant', parts: [{ type: 'text', text: 'Dug.' }] }])
  t.like(readContent(makeSpan(toolCall), withAcme), { toolArguments: { depth: 2 }, toolResult: 'a hole' })
  t.is(readContent(makeSpan(call)).inputMessages, null)
  const sideOf = mergeContentSides([...allDialects, acme])
  const names = ['acme.prompt', 'acme.result', 'acme.part.3.text', 'acme.part.three', 'acme.model', 'acme.partx0']
  t.deepEqual(names.map(sideOf), ['in', 'out', 'in', null, null, null])
})

test('its functions are asked, its words for an operation known', (t) => {
  t.is(read({ attributes: { 'acme.ok': false } }).status, 'error')
  t.is(read({ attributes: { 'gen_ai.operation.name': 'ponder' } }).kind, 'chain')
  t.is(readWithoutAcme({ attributes: { 'gen_ai.operation.name': 'ponder' } }).kind, 'other')
  t.deepEqual(counts(read({ ...call, scope: 'acme.tracing.beside' }).usage), [160, 20, 60, null, null])
  const id = { 'gen_ai.operation.name': 'chat', 'gen_ai.response.id': 'acme-run-1' }
  t.is(read({ attributes: id }).responseId, null)
  t.is(readWithoutAcme({ attributes: id }).responseId, 'acme-run-1')
})

test('its own names hold on its spans alone, its bare ones on model calls as well', (t) => {
  const attributes = { why: 'done', who: 'digger', tokens: 7 }
  const own = read({ scope: 'acme.tracing.v2', attributes })
  t.like(own, { kind: 'other', finishReasons: ['done'], agentOwn: 'digger' })
  t.is(own.usage.inputTokens, 7)
  const others = read({ scope: 'acmes', attributes })
  t.like(others, { finishReasons: [], agentOwn: null })
  t.is(others.usage.inputTokens, null)
  const othersCall = read({ scope: 'acmes', attributes: { ...attributes, 'gen_ai.operation.name': 'chat' } })
  t.like(othersCall, { kind: 'llm', finishReasons: [], agentOwn: null })
  t.is(othersCall.usage.inputTokens, 7)
})

test('the dialect that stands first is asked first, late names last, and a field may have an order of its own', (t) => {
  const first: Dialect = { name: 'first', marks: {}, names: { session: ['a'] }, late: { session: ['z'] } }
  const second: Dialect = { name: 'second', marks: {}, names: { session: ['b', 'a'], user: ['b'] } }
  const names = (given: Parameters<typeof mergeDialects>[1]) =>
    mergeDialects([first, second], given, []).names.session.all
  t.deepEqual(names({}), ['a', 'b', 'z'])
  t.deepEqual(names({ session: ['second'] }), ['b', 'a', 'z'])
  t.deepEqual(names({ resourceSession: ['second'], session: ['nobody'] }), ['a', 'b', 'z'])
})

/** Returns the span with a counter of the look-ups in its attributes. */
function counted(span: Span): { readonly span: Span; readonly looks: () => number } {
  let looks = 0
  const { attributes } = span
  const counting: Attributes = {
    size: attributes.size,
    get: (key) => attributes.get(key),
    has(key) {
      looks += 1
      return attributes.has(key)
    },
    among(names: Names) {
      looks += 1
      return names.all.filter((name) => attributes.has(name))
    },
    [Symbol.iterator]: () => attributes[Symbol.iterator](),
  }
  return { span: { ...span, attributes: counting }, looks: () => looks }
}

test('a further dialect costs no further look-up on spans of others', (t) => {
  // Each attribute that states types adds a look-up.
  const { kinds: _, ...withoutKinds } = acme
  const more = mergeDialects(
    [...allDialects, { ...withoutKinds, names: { session: ['x'], toolName: ['y'] } }],
    orders,
    standardDialects,
  )
  const span = makeSpan({ attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'shovel' } })
  const [without, withMore] = [counted(span), counted(span)]
  normalise(without.span)
  normalise(withMore.span, more)
  t.true(without.looks() > 40)
  t.is(withMore.looks(), without.looks())
})
