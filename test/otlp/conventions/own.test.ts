import test from 'ava'
import { hashInput } from '../../../src/otlp/canonical-json.ts'
import { normalise } from '../../../src/otlp/normalise.ts'
import { json, makeSpan, type Plain, read } from './_span.ts'

const tool = (attributes: { readonly [key: string]: Plain }) =>
  read({ attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', ...attributes } })

const payload = {
  'tracewright.tool.ciphertext': new Uint8Array([1, 2, 3]),
  'tracewright.tool.iv': new Uint8Array(12).fill(7),
  'tracewright.tool.tag': new Uint8Array(16).fill(9),
  'tracewright.tool.key_id': 'k1',
}

test('a complete payload is kept, as bytes or as base64', (t) => {
  const bytes = tool({ ...payload, 'tracewright.tool.attested': true, 'tracewright.tool.content_hash': 'hmac:1' })
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
    { 'tracewright.tool.ciphertext': new Uint8Array(256 * 1_024 + 1) },
    { 'tracewright.tool.ciphertext': 5 },
  ]
  for (const fault of faults) {
    const event = tool({ ...payload, ...fault })
    t.is(event.encrypted, null)
    t.true(event.flags.has('payload_invalid'))
  }
  t.false(tool({}).flags.has('payload_invalid'))
})

test('the largest payload is a limit that the caller may set', (t) => {
  const span = () => makeSpan({ attributes: { 'gen_ai.operation.name': 'execute_tool', ...payload } })
  t.truthy(normalise(span(), 3).encrypted)
  t.is(normalise(span(), 2).encrypted, null)
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

test('arguments that the decoder may have cut or mended have no computed hash', (t) => {
  for (const flag of ['truncated', 'text_cleaned'] as const) {
    const span = makeSpan({
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{}' },
    })
    t.truthy(normalise(span).inputHash)
    span.flags.add(flag)
    t.is(normalise(span).inputHash, null)
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
  t.is(event.taskType, 'refund')
  const many = read({
    attributes: { 'tracewright.consumed_tool_call_ids': Array.from({ length: 1_500 }, (_, index) => `c${index}`) },
  })
  t.is(many.consumedToolCallIds.length, 1_000)
  t.true(many.flags.has('truncated'))
})
