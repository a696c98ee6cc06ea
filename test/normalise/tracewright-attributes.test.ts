import test from 'ava'
import { hashInput } from '../../src/event/canonical-json.ts'
import { maxCiphertextBytes } from '../../src/event/event.ts'
import { normalise } from '../../src/normalise/normalise.ts'
import { json, makeSpan, type Plain, read } from './_span.ts'

const tool = (attributes: { readonly [key: string]: Plain }) =>
  read({ attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', ...attributes } })

const payload = {
  'tracewright.tool.attested': true,
  'tracewright.tool.ciphertext': new Uint8Array([1, 2, 3]),
  'tracewright.tool.iv': new Uint8Array(12).fill(7),
  'tracewright.tool.tag': new Uint8Array(16).fill(9),
  'tracewright.tool.key_id': 'k1',
}

test('a complete payload is kept, as bytes or as base64', (t) => {
  const bytes = tool({ ...payload, 'tracewright.tool.content_hash': 'hmac:1' })
  t.deepEqual(Buffer.from(bytes.encrypted?.ciphertext ?? []), Buffer.from([1, 2, 3]))
  t.is(bytes.encrypted?.keyId, 'k1')
  t.deepEqual([bytes.attested, bytes.contentHash], [true, 'hmac:1'])
  const text = tool({
    ...payload,
    'tracewright.tool.ciphertext': Buffer.from([1, 2, 3, 4]).toString('base64'),
    'tracewright.tool.iv': Buffer.alloc(12, 7).toString('base64'),
    'tracewright.tool.tag': Buffer.alloc(16, 9).toString('base64'),
  })
  t.deepEqual(Buffer.from(text.encrypted?.ciphertext ?? []), Buffer.from([1, 2, 3, 4]))
  t.is(text.encrypted?.iv.length, 12)
  t.is(text.encrypted?.tag.length, 16)
  t.deepEqual([...text.flags], [])
})

test('an incomplete or malformed payload is dropped whole with a flag', (t) => {
  const faults: { readonly [key: string]: Plain }[] = [
    { 'tracewright.tool.iv': new Uint8Array(11) },
    { 'tracewright.tool.tag': new Uint8Array(15) },
    { 'tracewright.tool.tag': null },
    { 'tracewright.tool.key_id': '' },
    { 'tracewright.tool.key_id': 'k'.repeat(129) },
    { 'tracewright.tool.ciphertext': 'not base64!' },
    { 'tracewright.tool.ciphertext': new Uint8Array(maxCiphertextBytes + 1) },
    { 'tracewright.tool.ciphertext': 5 },
  ]
  for (const fault of faults) {
    const event = tool({ ...payload, ...fault })
    t.is(event.encrypted, null)
    t.true(event.flags.has('payload_invalid'))
  }
  t.false(tool({}).flags.has('payload_invalid'))
})

test('a result is stored where either claim is made; a list of claims counts only where the tool is attested', (t) => {
  const read = (claims: Plain, attested: Plain = true) => {
    const event = tool({ ...payload, 'tracewright.tool.attested': attested, 'tracewright.tool.claims': claims })
    t.deepEqual([...event.flags], [])
    return [event.attested, event.attestedUnread, event.encrypted !== null]
  }
  t.deepEqual(read(null), [true, false, true])
  t.deepEqual(read(['same_input']), [true, false, true])
  t.deepEqual(read(['unread']), [false, true, true])
  t.deepEqual(read(['unread', 'same_input']), [true, true, true])
  t.deepEqual(read(json(['unread'])), [false, true, true])
  t.deepEqual(read('same_input'), [true, false, true])
  t.deepEqual(read([]), [false, false, false])
  t.deepEqual(read(['later']), [false, false, false])
  t.deepEqual(read(['same_input', 'unread'], false), [false, false, false])
})

test('version and scope of a tool; with a malformed version nothing is attested', (t) => {
  const read = (version: Plain, scope: Plain) => {
    const event = tool({ ...payload, 'tracewright.tool.version': version, 'tracewright.tool.scope_hash': scope })
    return [event.toolVersion, event.scopeHash, event.attested, event.flags.has('payload_invalid')]
  }
  t.deepEqual(read('2.1', 'hmac:a'), ['2.1', 'hmac:a', true, false])
  t.deepEqual(read(null, 'a b'), [null, null, true, false])
  t.deepEqual(read('', 'x'.repeat(129)), [null, null, true, false])
  t.deepEqual(read('v'.repeat(128), null), ['v'.repeat(128), null, true, false])
  t.deepEqual(read('v'.repeat(129), null), [null, null, false, true])
  t.deepEqual(read(2, null), [null, null, false, true])
})

test('whether a tool is read-only, by our name before that of MCP instrumentations, as a boolean or as text', (t) => {
  const stated = (own: Plain, mcp: Plain) =>
    tool({
      ...(own === null ? {} : { 'tracewright.tool.read_only': own }),
      ...(mcp === null ? {} : { 'mcp.tool.read_only': mcp }),
    }).readOnly
  t.is(stated(null, null), null)
  t.is(stated(true, null), true)
  t.is(stated(false, null), false)
  t.is(stated('true', null), true)
  t.is(stated('False', null), false)
  t.is(stated(null, true), true)
  t.is(stated(null, false), false)
  t.is(stated(false, true), false)
  t.is(stated(true, false), true)
  for (const malformed of [1, 0, '', 'yes', [true]]) {
    t.is(stated(malformed, null), null)
    t.is(stated(malformed, false), false)
  }
  t.is(stated(null, 'no'), null)
  t.is(read({ attributes: { 'gen_ai.operation.name': 'chat', 'tracewright.tool.read_only': true } }).readOnly, null)
})

test('an MCP server span of a tool call, as autotel-mcp-instrumentation sends it, says whether the tool is read-only', (t) => {
  const event = read({
    name: 'tools/call get_weather',
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.operation.name': 'execute_tool',
      'mcp.protocol.version': '2026-07-28',
      'network.transport': 'pipe',
      'mcp.tool.read_only': true,
    },
  })
  t.like(event, { kind: 'tool', toolName: 'get_weather', readOnly: true })
})

test('a ciphertext at the limit that SDKs are told is kept', (t) => {
  const event = tool({ ...payload, 'tracewright.tool.ciphertext': new Uint8Array(maxCiphertextBytes) })
  t.is(event.encrypted?.ciphertext.length, maxCiphertextBytes)
})

test("the sender's hash wins where it is well formed", (t) => {
  const args = { 'gen_ai.tool.call.arguments': '{"a":1}' }
  t.is(tool({ ...args, 'tracewright.tool.input_hash': 'hmac-1:aZ_9' }).inputHash, 'hmac-1:aZ_9')
  t.is(tool({ ...args, 'tracewright.tool.input_hash': 'x'.repeat(129) }).inputHash, hashInput({ a: 1 }))
  t.is(tool({ ...args, 'tracewright.tool.input_hash': 'a b' }).inputHash, hashInput({ a: 1 }))
})

test('the computed hash is of the value, not of its spelling', (t) => {
  const hashOf = (value: Plain) => tool({ 'gen_ai.tool.call.arguments': value }).inputHash
  const expected = hashInput({ a: 1, b: [true] })
  t.is(hashOf('{"a":1,"b":[true]}'), expected)
  t.is(hashOf('{ "b": [ true ], "a": 1.0 }'), expected)
  t.is(hashOf({ b: [true], a: 1 }), expected)
  t.is(hashOf('ls -l'), hashInput('ls -l'))
  t.not(hashOf('{"id":9007199254740993}'), hashOf('{"id":9007199254740992}'))
  t.is(tool({}).inputHash, null)
})

test('a plain result that nobody attested and without a hash of its own gets one, of the value', (t) => {
  const hashOf = (value: Plain, more: { readonly [key: string]: Plain } = {}) =>
    tool({ 'gen_ai.tool.call.result': value, ...more }).contentHash
  const expected = hashInput({ a: 1, b: [true] })
  t.is(hashOf('{ "b": [ true ], "a": 1.0 }'), expected)
  t.is(hashOf({ b: [true], a: 1 }), expected)
  t.is(hashOf('sunny'), hashInput('sunny'))
  t.is(tool({}).contentHash, null)
  t.is(hashOf('sunny', { 'tracewright.tool.content_hash': 'hmac:1' }), 'hmac:1')
  t.is(hashOf('sunny', { 'tracewright.tool.attested': true }), null)
  t.is(hashOf('sunny', { 'tracewright.tool.attested': true, 'tracewright.tool.claims': ['unread'] }), null)
  t.is(hashOf('sunny', { 'tracewright.tool.served': true }), null)
  const failed = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': 'sunny' }
  t.is(read({ attributes: failed, statusCode: 2 }).contentHash, null)
})

test('of a result of more than 64 Ki characters no hash is computed', (t) => {
  const hashOf = (value: Plain) => tool({ 'gen_ai.tool.call.result': value }).contentHash
  t.truthy(hashOf('x'.repeat(65_535)))
  t.is(hashOf('x'.repeat(65_536)), null)
  t.truthy(hashOf([{ text: 'x'.repeat(65_500) }]))
  t.is(hashOf([{ text: 'x'.repeat(65_530) }, 'more']), null)
  t.is(hashOf(Array.from({ length: 65_536 }, () => true)), null)
  t.is(hashOf(new Uint8Array(40_000)), null)
})

test("of LangChain's message only the result counts, since the message names the call", (t) => {
  const hashOf = (id: string, content: string) =>
    read({
      scope: 'openinference.instrumentation.langchain',
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'f',
        'output.value': json({ output: { type: 'tool', tool_call_id: id, content } }),
      },
    })
  t.is(hashOf('call-1', 'sunny').contentHash, hashInput('sunny'))
  t.is(hashOf('call-2', 'sunny').contentHash, hashInput('sunny'))
  t.is(hashOf('call-2', 'sunny').toolCallId, 'call-2')
})

test('arguments and results that the decoder may have cut or mended have no computed hash', (t) => {
  for (const flag of ['truncated', 'text_cleaned'] as const) {
    const span = makeSpan({
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.call.arguments': '{}',
        'gen_ai.tool.call.result': '{}',
      },
    })
    t.truthy(normalise(span).inputHash)
    t.truthy(normalise(span).contentHash)
    span.flags.add(flag)
    t.is(normalise(span).inputHash, null)
    t.is(normalise(span).contentHash, null)
  }
})

test('a served call has no input hash, whatever it carries', (t) => {
  const event = tool({
    'tracewright.tool.served': true,
    'tracewright.tool.input_hash': 'h',
    'gen_ai.tool.call.arguments': '{}',
    'tracewright.decision_id': '0192F0C1-2345-7ABC-8DEF-0123456789AB',
  })
  t.deepEqual([event.served, event.inputHash], [true, null])
  t.is(event.decisionId, '0192f0c1-2345-7abc-8def-0123456789ab')
})

test('a result that is not the one which a rule would have served is told', (t) => {
  t.true(tool({ 'tracewright.tool.changed': true }).changed)
  for (const given of [false, 'no', null, 1]) t.false(tool({ 'tracewright.tool.changed': given }).changed)
  t.false(tool({}).changed)
})

test('a decision id that is no uuid is dropped; a holdout is told', (t) => {
  const event = tool({ 'tracewright.decision_id': 'rule-1', 'tracewright.holdout': 'true' })
  t.deepEqual([event.decisionId, event.holdout], [null, true])
})

test('our attributes mean nothing on spans that are no tool calls', (t) => {
  const event = read({ attributes: { 'gen_ai.operation.name': 'chat', ...payload, 'tracewright.tool.served': true } })
  t.deepEqual([event.encrypted, event.served, event.inputHash], [null, false, null])
})

test('consumed and read tool calls are distinct, bounded, and may be JSON text', (t) => {
  const event = read({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'tracewright.consumed_tool_call_ids': ['a', 'b', 'a', '', null],
      'tracewright.read_tool_call_ids': json(['a']),
      'tracewright.task_type': 'refund',
    },
  })
  t.deepEqual(event.consumedToolCallIds, ['a', 'b'])
  t.deepEqual(event.readToolCallIds, ['a'])
  const shown = tool({ 'gen_ai.tool.call.id': 'a', 'tracewright.read_tool_call_ids': ['a'] })
  t.like(shown, { toolCallId: 'a', readToolCallIds: ['a'] })
  t.is(event.taskType, 'refund')
  const many = read({
    attributes: { 'tracewright.consumed_tool_call_ids': Array.from({ length: 1_500 }, (_, index) => `c${index}`) },
  })
  t.is(many.consumedToolCallIds.length, 1_000)
  t.true(many.flags.has('truncated'))
})
