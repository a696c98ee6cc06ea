import test from 'ava'
import type { CallSpan } from '../../src/resolve/call-span.ts'
import { findDuplicateReports } from '../../src/resolve/told-twice.ts'
import { makeCallSpan as call } from './_call-span.ts'

const framework = 'instrumentation.framework'
const client = 'instrumentation.client'
const http = 'instrumentation.http'

/** Returns the indexes of the spans that count; checks that the reverse order gives the same. */
function counting(...calls: CallSpan[]): number[] {
  const find = (spans: readonly CallSpan[]): number[] => {
    const byAge = (a: number, b: number): number =>
      (spans[a]?.startTimeUs ?? 0) - (spans[b]?.startTimeUs ?? 0) || calls.indexOf(spans[a]!) - calls.indexOf(spans[b]!)
    const told = findDuplicateReports(spans, [...spans.keys()], byAge)
    return [...spans.keys()].filter((at) => (told.get(at) ?? at) === at).map((at) => calls.indexOf(spans[at]!))
  }
  const found = find(calls)
  const reversed = find(calls.toReversed()).toSorted((a, b) => a - b)
  if (found.join() !== reversed.join()) throw new Error(`${found.join()} differs from ${reversed.join()}`)
  return found
}

test('one id of the response in two scopes is one call, whatever the counts', (t) => {
  const id = { responseId: 'msg_a1' }
  t.deepEqual(
    counting(call(framework, 0, 100, { ...id, outputTokens: 128 }), call(client, 5, 90, { ...id, outputTokens: 12 })),
    [0],
  )
  const drawn = { responseId: 'chatcmpl-123' }
  const [one, other] = [call(framework, 0, 100, drawn), call(client, 5, 90, drawn)]
  t.deepEqual(counting(one, other), [0])
  t.deepEqual(counting(one, { ...other, outputTokens: 12 }), [0, 1], 'an id that calls may share by chance')
  t.deepEqual(counting(one, { ...other, model: 'llama3.2' }), [0, 1])
  t.deepEqual(counting(call(framework, 0, 100, { ...id, inputTokens: null }), call(client, 5, 90, id)), [1])
})

test('one of two spans without an id may leave out the cache that the other one tells', (t) => {
  const whole = call(framework, 0, 100, { inputTokens: 3_000, cacheTokens: 2_700, usageDetail: 2 })
  t.deepEqual(counting(whole, call(client, 5, 90, { inputTokens: 300 })), [0])
  t.deepEqual(counting(call(client, 0, 100, { inputTokens: 300 }), whole), [1])
  t.deepEqual(counting(whole, call(client, 5, 90, { inputTokens: 800 })), [0, 1], 'another input')
  t.deepEqual(
    counting(whole, call(client, 5, 90, { inputTokens: 300, cacheTokens: 100 })),
    [0, 1],
    'a cache of its own',
  )
  t.deepEqual(
    counting(call(framework, 0, 100, { cacheTokens: 1_000 }), call(client, 5, 90, { inputTokens: 7 })),
    [0, 1],
  )
})

test('the span with the most detailed usage counts, then the older one, and never one without usage', (t) => {
  const id = { responseId: 'msg_1' }
  t.deepEqual(counting(call(framework, 0, 100, id), call(client, 5, 90, { ...id, usageDetail: 3 })), [1])
  t.deepEqual(
    counting(call(framework, 0, 100, { ...id, usageDetail: 3 }), call(client, 5, 90, { ...id, usageDetail: 3 })),
    [0],
  )
  const untold = { ...id, inputTokens: null, outputTokens: null }
  t.deepEqual(counting(call(framework, 0, 100, untold), call(client, 5, 90, id)), [1])
})

test('a span that knows the output counts before one that knows no output, whatever its detail', (t) => {
  for (const outputTokens of [0, null]) {
    const unknown = call(framework, 0, 100, { inputTokens: 100, outputTokens, usageDetail: 13 })
    const known = call(client, 5, 90, { inputTokens: 100, outputTokens: 500, usageDetail: 8 })
    t.deepEqual(counting(unknown, known), [1])
  }
  const embedding = { kind: 'embedding', inputTokens: 100 } as const
  const framed = call(framework, 0, 100, { ...embedding, outputTokens: 0, usageDetail: 8 })
  t.deepEqual(counting(framed, call(client, 5, 90, { ...embedding, outputTokens: 100 })), [0])
})

test('short embeddings whose inputs differ by a token are two, long ones are one', (t) => {
  const embedding = { kind: 'embedding', outputTokens: null } as const
  const pairOf = (one: number, other: number) =>
    counting(
      call(framework, 0, 100, { ...embedding, inputTokens: one }),
      call(client, 5, 90, { ...embedding, inputTokens: other }),
    ).length
  t.is(pairOf(6, 8), 2)
  t.is(pairOf(6, 7), 2)
  t.is(pairOf(8, 8), 1)
  t.is(pairOf(1_000, 1_008), 1)
})

test('without an id: one inside the other, the same model, counts that nearly agree', (t) => {
  t.deepEqual(counting(call(framework, 0, 100), call(client, 5, 90)), [0])
  t.deepEqual(counting(call(framework, 0, 100, { model: 'openai/gpt-4o-mini-2024-07-18' }), call(client, 5, 90)), [0])
  t.deepEqual(
    counting(call(framework, 0, 100, { inputTokens: 0 }), call(client, 5, 90)),
    [1],
    'a count of 0 says nothing',
  )
  t.deepEqual(counting(call(framework, 0, 100), call(client, 5, 90, { responseId: 'resp_1' })), [0])
})

test('one of two spans may name only the requested model, the other also the model that answered', (t) => {
  const requested = { model: 'prod-chat', requestModel: 'prod-chat' }
  const answered = { model: 'gpt-4o-2024-08-06', requestModel: 'prod-chat' }
  t.deepEqual(counting(call(framework, 0, 100, requested), call(client, 5, 90, answered)), [0])
  const parallel = [
    requested,
    answered,
    { model: 'mini', requestModel: 'mini' },
    { model: 'gpt-4o-mini', requestModel: 'mini' },
  ]
  t.deepEqual(
    counting(...parallel.map((names, at) => call(at % 2 === 0 ? framework : client, 0, 100, names))),
    [0, 2],
    'two models in parallel',
  )
})

test('calls that differ in their ids, models, counts, outcome or time are two', (t) => {
  const others: Partial<CallSpan>[] = [
    { responseId: 'resp_2' },
    { model: 'gpt-4o' },
    { inputTokens: 1_100 },
    { outputTokens: 60 },
    { isError: true },
    { startTimeUs: 50_000, endTimeUs: 200_000 },
  ]
  for (const other of others)
    t.deepEqual(
      counting(
        call(framework, 0, 100, { responseId: other.responseId === undefined ? null : 'resp_1' }),
        call(client, 5, 90, other),
      ),
      [0, 1],
      JSON.stringify(other),
    )
})

test('a failed call is one, though no span tells its tokens and one does not name the model', (t) => {
  const failed = { isError: true, inputTokens: null, outputTokens: null }
  t.deepEqual(counting(call(framework, 0, 100, { ...failed, model: null }), call(client, 5, 90, failed)), [0])
})

test('equal calls side by side from one scope are as many calls: fan-out and best-of-n', (t) => {
  const ten = Array.from({ length: 10 }, (_, nth) => call(framework, nth, 100 + nth))
  t.is(counting(...ten).length, 10)
  const shared = Array.from({ length: 10 }, (_, nth) => call(client, nth, 100 + nth, { responseId: 'resp_1' }))
  t.is(counting(...shared).length, 10, 'where a server gives every response one id')
})

test('a fan-out that two scopes report counts as many calls as each of them reports', (t) => {
  for (const responseId of [null, 'always the same']) {
    const calls = Array.from({ length: 10 }, (_, nth) => [
      call(framework, nth, 100 + nth, { responseId }),
      call(client, nth + 2, 99 + nth, { responseId }),
    ]).flat()
    t.is(counting(...calls).length, 10)
  }
})

test('of calls that begin and end together, those with the same counts are paired', (t) => {
  const tokens = Array.from({ length: 10 }, (_, at) => 30 + at)
  const frames = tokens.map((outputTokens) => call(framework, 0, 100, { outputTokens }))
  const clients = tokens.toReversed().map((outputTokens) => call(client, 0, 100, { outputTokens }))
  t.is(counting(...frames, ...clients).length, 10)
})

test('a retry within a call of the framework is a call of its own', (t) => {
  const failed = call(client, 5, 20, { isError: true, inputTokens: null, outputTokens: null })
  t.deepEqual(counting(call(framework, 0, 100), failed, call(client, 30, 90)), [0, 1])
})

test('three scopes that report one call are one', (t) => {
  const id = { responseId: 'msg_1' }
  t.deepEqual(
    counting(call(framework, 0, 100), call(client, 5, 90, { ...id, usageDetail: 2 }), call(http, 6, 89, id)),
    [1],
  )
})

test('of a hundred calls at once, those with one id are paired', (t) => {
  const calls = [framework, client].flatMap((scope, side) =>
    Array.from({ length: 100 }, (_, nth) => {
      const startTimeUs = side * 1_000 + nth
      return call(scope, 0, 0, { startTimeUs, endTimeUs: startTimeUs + 1_000_000, responseId: `msg_a${nth}` })
    }),
  )
  t.is(counting(...calls).length, 100)
})

test('calls that follow each other are two, also where their server gives every response one id', (t) => {
  const id = { responseId: 'always the same' }
  t.deepEqual(
    counting(call(framework, 0, 100, id), call(client, 200, 290, id), call(framework, 400, 490, id)),
    [0, 1, 2],
  )
})

test('spans of an older release, whose scope is not known, are one call with one id and equal counts', (t) => {
  const id = { responseId: 'msg_1' }
  t.deepEqual(counting(call(null, 0, 100, id), call(null, 5, 90, id)), [0])
  t.deepEqual(counting(call(null, 0, 100, id), call(null, 5, 90, { ...id, outputTokens: 51 })), [0, 1])
  t.deepEqual(counting(call(null, 0, 100), call(null, 5, 90)), [0, 1])
})

test('of ten thousand calls at once each is compared with a bounded number of others', (t) => {
  let reads = 0
  const calls = Array.from({ length: 10_000 }, (_, nth) => {
    const one = call(nth % 2 === 0 ? framework : client, nth, 1_000_000, { inputTokens: nth % 2 === 0 ? 1_000 : 5_000 })
    return Object.defineProperty({ ...one }, 'inputTokens', {
      get: () => {
        reads += 1
        return one.inputTokens
      },
    })
  })
  t.is(findDuplicateReports(calls, [...calls.keys()], (a, b) => a - b).size, 0)
  t.true(reads > 10_000 && reads < 10_000 * 64 * 2, `${reads} reads of a count`)
})
