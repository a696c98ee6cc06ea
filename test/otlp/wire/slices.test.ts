import test from 'ava'
import fc from 'fast-check'
import { openIntake } from '../../../src/otlp/intake/intake.ts'
import { defaultIngestLimits } from '../../../src/otlp/intake/limits.ts'
import { Malformed } from '../../../src/otlp/intake/malformed.ts'
import { aimSlicer, openSlicer } from '../../../src/otlp/protobuf/slicer.ts'
import { readSpan } from '../../../src/otlp/protobuf/span-protobuf.ts'
import { openCursor } from '../../../src/otlp/protobuf/wire.ts'
import { anyText } from '../../_kit/any-text.ts'
import { seed } from '../../_kit/soak.ts'
import { field, spanBytes } from '../../_kit/wire.ts'

/** One slicer for all spans, as a decode thread keeps it. */
const kept = openSlicer()

/** Returns the result of reading, attributes as a Map; or the reason if it is refused. */
function read(bytes: Buffer, sliced: boolean) {
  const slicer = sliced ? kept : null
  aimSlicer(kept, bytes)
  const { mending } = openIntake(
    0,
    { ...defaultIngestLimits, valueBytes: 200, nestedValuesPerRequest: 40 },
    () => undefined,
  )
  try {
    const draft = readSpan({ ...openCursor(bytes), cache: kept.attributes.cache, slicer }, mending)
    const { received, attributes, ...rest } = draft
    const flags = [...mending.flags].toSorted()
    return { received, read: { ...rest, attributes: [...attributes], flags, nestedLeft: mending.nestedLeft } }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return { received: null, read: error.reason }
  }
}

const text = fc.oneof(
  anyText(300).map((value) => Buffer.from(value)),
  fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value)),
  fc.constantFrom('', 'plain', 'with \0 in it').map((value) => Buffer.from(value)),
)
const anyValue: fc.Arbitrary<Buffer> = fc.letrec<{ value: Buffer }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text.map((value) => field(1, value)),
    fc.constant(Buffer.from([0x10, 1])),
    fc.nat(127).map((value) => Buffer.from([0x18, value])),
    fc.constant(Buffer.alloc(0)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => field(5, ...items.map((item) => field(1, item)))),
    fc
      .array(tie('value'), { maxLength: 3 })
      .map((items) => field(6, ...items.map((item) => field(1, field(1, 'k'), field(2, item))))),
    // A repeated oneof, and an unknown field.
    fc.tuple(tie('value'), tie('value')).map((pair) => Buffer.concat(pair)),
    tie('value').map((value) => Buffer.concat([value, field(15, 'unknown')])),
  ),
})).value
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', '', 'k'.repeat(130), 'ключ'),
  fc.string({ minLength: 1, maxLength: 8 }),
)
const pair = fc.oneof(
  fc.tuple(key, anyValue).map(([name, value]) => [field(1, name), field(2, value)]),
  // The reverse order, a value alone, a key alone, a repeated value.
  fc.tuple(key, anyValue).map(([name, value]) => [field(2, value), field(1, name)]),
  anyValue.map((value) => [field(2, value)]),
  key.map((name) => [field(1, name)]),
  fc.tuple(key, anyValue, anyValue).map(([name, one, two]) => [field(1, name), field(2, one), field(2, two)]),
)
const span = fc
  .array(
    pair.map((fields) => field(9, ...fields)),
    { maxLength: 12 },
  )
  .map((attributes) => spanBytes(...attributes))

test('a span whose attributes are left as bytes is the span whose attributes are decoded one by one', (t) => {
  let sliced = 0
  fc.assert(
    fc.property(span, (bytes) => {
      const quick = read(bytes, true)
      if (quick.received !== null) sliced++
      t.deepEqual(quick.read, read(bytes, false).read)
    }),
    { numRuns: 400, seed },
  )
  t.true(sliced > 30, `only ${sliced} were taken as they stood`)
})

test('the same holds for spans with a byte that is not what it was', (t) => {
  fc.assert(
    fc.property(span, fc.nat(), fc.nat(255), (bytes, place, byte) => {
      const broken = Buffer.from(bytes)
      broken[place % broken.length] = byte
      t.deepEqual(read(broken, true).read, read(broken, false).read)
    }),
    { numRuns: 400, seed },
  )
})

test('bytes that the reader skips or replaces are never stored, since they were not checked', (t) => {
  const attribute = (...fields: Buffer[]) => field(9, field(1, 'a'), field(2, ...fields))
  const entry = (name: string, ...value: Buffer[]) => field(1, field(1, name), field(2, ...value))
  const kept = (...more: Buffer[]) => read(spanBytes(...more), true).received !== null
  t.true(kept(attribute(field(5, field(1, field(1, 'one')), field(1, field(1, 'two'))))))
  t.true(kept(attribute(field(6, field(1, field(1, 'k'), field(2, field(1, 'v')))))))
  t.true(kept(attribute(field(6, entry('k', field(6, entry('k', field(1, 'v')))), entry('l')))))
  t.true(kept(field(15, field(2, 'message'), Buffer.from([0x18, 2]))))
  t.true(kept(Buffer.from([0x85, 0x01, 1, 0, 0, 0])))
  const secret = Buffer.from('hunter2')
  for (const hidden of [
    field(99, secret),
    field(5, 'another name'),
    field(15, field(2, secret), field(2, 'message')),
    field(15, field(7, secret)),
    attribute(field(1, secret), field(1, 'text')),
    attribute(field(15, secret), field(1, 'text')),
    attribute(field(5, field(1, field(1, 'one')), field(9, secret))),
    attribute(field(5, field(1, field(1, secret), field(1, 'one')))),
    attribute(field(6, field(1, field(1, 'k'), field(2, field(1, 'v')), field(3, secret)))),
    attribute(field(6, entry('k', field(1, secret)), entry('k', field(1, 'v')))),
    attribute(field(5, field(1, field(6, entry('k', field(1, secret)), entry('l'), entry('k'))))),
    attribute(field(6, entry('k', field(6, entry('l', field(1, secret)), entry('l'))))),
    field(9, field(1, 'a'), field(2, field(1, 'text')), field(3, secret)),
    field(9, field(1, 'a'), field(2, field(1, secret)), field(2, field(1, 'text'))),
  ]) {
    t.false(kept(hidden), hidden.toString('latin1'))
  }
})

test('only an uncorrected span is kept as it was received', (t) => {
  const plain = spanBytes(field(9, field(1, 'a'), field(2, field(1, 'text'))))
  t.deepEqual(read(plain, true).received, plain)
  t.is(read(spanBytes(field(9, field(1, 'a'), field(2, field(1, 'x'.repeat(201))))), true).received, null)
  t.is(read(spanBytes(field(9, field(1, 'a'), field(2, field(1, 'a\0b')))), true).received, null)
  t.is(read(spanBytes(field(5, 'n'.repeat(2_000))), true).received, null)
})
