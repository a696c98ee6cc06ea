import test from 'ava'
import type { Content } from '../../src/event/event.ts'
import type { AttributeValue, Span } from '../../src/event/span.ts'
import { readContent } from '../../src/normalise/normalise.ts'
import { redactSpan } from '../../src/redact/redact-span.ts'
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'
import { makeSpan } from '../normalise/_span.ts'
import { places } from './_places.ts'
import { planted } from './_texts.ts'

const redactor = openRedactor(new Uint8Array(32).fill(3))

const show = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member instanceof Map ? [...member] : typeof member === 'bigint' ? String(member) : member,
  )

/** Returns the structure of the content without its texts. */
const shapeOf = ({ inputMessages, outputMessages }: Content): string =>
  JSON.stringify(
    [inputMessages, outputMessages].map((messages) =>
      messages?.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)]),
    ),
  )

function* textsOf(value: AttributeValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item)
  else if (value instanceof Map) for (const [key, member] of value) yield* [key, ...textsOf(member)]
}

const isAnyTextSuspicious = (span: Span): boolean =>
  [span.attributes, ...span.events.map(({ attributes }) => attributes)].some((attributes) =>
    [...textsOf(new Map(attributes))].some((text) => {
      const bytes = Buffer.from(text)
      return isSuspicious(bytes, 0, bytes.length)
    }),
  )

for (const [place, make] of Object.entries(places)) {
  test(`no secret survives in ${place}, and the content keeps its form`, (t) => {
    for (const [kind, secret, before = '', behind = ''] of planted) {
      const given = makeSpan(make(`Please use ${before}${secret}${behind} for it.`))
      const spoken = readContent(given)
      t.true(show(spoken).includes(secret), `${kind}: the control must hold it`)
      t.true(isAnyTextSuspicious(given), kind)
      const { span, redacted, failed } = redactSpan('redacted', given, redactor)
      t.true(redacted)
      t.false(failed)
      t.false(show(span).includes(secret), `${kind} in the span`)
      const left = readContent(span)
      t.false(show(left).includes(secret), `${kind} in the content`)
      t.true(show(left).includes('[redacted:'), kind)
      t.is(shapeOf(left), shapeOf(spoken), kind)
    }
  })

  test(`with content mode none, nothing that was said is left in ${place}`, (t) => {
    const given = makeSpan(make('The quick brown fox.'))
    t.true(show(readContent(given)).includes('brown fox'), 'the control must hold it')
    const { span } = redactSpan('none', given, redactor)
    t.false(show(span).includes('brown fox'))
    const { inputMessages, outputMessages, toolArguments, toolResult } = readContent(span)
    t.deepEqual([inputMessages, outputMessages, toolArguments ?? null, toolResult ?? null], [null, null, null, null])
  })
}

test('what the name of a member promises goes wherever the dialects put members', (t) => {
  const given = makeSpan({
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.arguments': JSON.stringify({
        cookies: ['one-value'],
        inner: JSON.stringify({ pin: { apiKey: 7_654_321 } }),
      }),
      'gen_ai.tool.call.result': { client_secret: new Map([['a', 'two-value']]).get('a') ?? '' },
    },
  })
  const { span } = redactSpan('redacted', given, redactor)
  for (const secret of ['one-value', '7654321', 'two-value']) {
    t.true(show(given).includes(secret))
    t.false(show(span).includes(secret), secret)
  }
  const { toolArguments } = readContent(span)
  t.regex(String((toolArguments as { cookies: unknown }).cookies), /^\[redacted:secret:/)
})
