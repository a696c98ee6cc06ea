import test from 'ava'
import { resolve } from '../../src/resolve/resolve.ts'
import { type Given, listCounted, makeInput } from './_input.ts'

const id = `resp_${'0a1b2c3d'.repeat(6)}`
const usage = { hasUsage: true, inputTokens: 1_000, outputTokens: 50 }
const report = (spanId: string, at: readonly [number, number], more: Partial<Given> = {}): Given => ({
  id: spanId,
  kind: 'llm',
  scopeName: 'a.client',
  responseId: id,
  model: 'gpt-5',
  at,
  ...more,
})

test('a response that is fetched again is one call, with the usage of the report that has it', (t) => {
  const created = report('create', [0, 100])
  const [poll, last] = [report('poll', [200, 210]), report('last', [900, 910], usage)]
  t.deepEqual(listCounted({ ...created, ...usage }, last), ['create'])
  t.deepEqual(listCounted(created, poll, last), ['last'])
  t.deepEqual(listCounted(created, poll), ['create'])
  t.deepEqual(listCounted(report('get', [0, 5], { ...usage, responseId: `v1_${'Chd0'.repeat(16)}` }), last), [
    'get',
    'last',
  ])
})

test('each report leads to the one that counts, and is not told twice by its own scope', (t) => {
  const spans = [report('create', [0, 100], usage), report('last', [900, 910], { ...usage, reasoningTokens: 7 })]
  const resolved = resolve(spans.map(makeInput))
  t.deepEqual(
    resolved.map(({ callAt, toldTwice, nestedCall }) => [callAt, toldTwice, nestedCall]),
    [
      [0, false, false],
      [0, false, false],
    ],
  )
  t.is(resolved[0]?.reasoningTokens, 7)
})

test('a second instrumentation reports the same call', (t) => {
  const framework = report('framework', [0, 120], { ...usage, scopeName: 'a.framework', usageDetail: 1 })
  const spans = [framework, report('create', [5, 100], usage), report('get', [900, 910], usage)]
  t.deepEqual(listCounted(...spans), ['framework'])
  t.deepEqual(
    resolve(spans.map(makeInput)).map(({ callAt, toldTwice }) => [callAt, toldTwice]),
    [
      [0, true],
      [0, true],
      [0, false],
    ],
  )
})

test('ids that are not random, of other responses or of an unknown scope name no call', (t) => {
  for (const responseId of ['resp_123456', 'chatcmpl-123', 'msg_0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d', 'v1_1'])
    t.deepEqual(
      listCounted(
        report('one', [0, 100], { ...usage, responseId }),
        report('other', [900, 910], { ...usage, responseId }),
      ),
      ['one', 'other'],
      responseId,
    )
  const unknown = { ...usage, scopeName: null } // stored by an older release
  t.deepEqual(listCounted(report('one', [0, 100], unknown), report('other', [9_000, 9_100], unknown)), ['one', 'other'])
})
