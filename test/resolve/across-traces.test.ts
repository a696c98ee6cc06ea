import test from 'ava'
import { filterAlike, findAcrossTraces, type TracedCall } from '../../src/resolve/across-traces.ts'
import { makeCallSpan } from './_call-span.ts'

const framework = 'instrumentation.framework'
const client = 'instrumentation.client'

let nth = 0
/** Starts and ends in milliseconds; each call is the outermost span of its own trace. */
function call(scopeName: string | null, startMs: number, endMs: number, more: Partial<TracedCall> = {}): TracedCall {
  nth += 1
  return {
    workspaceId: 'workspace',
    traceId: `trace ${nth}`,
    spanId: `span ${nth}`,
    isOutermost: true,
    tellsTools: false,
    service: 'my-service',
    agent: null,
    callKey: '0',
    ...makeCallSpan(scopeName, startMs, endMs),
    ...more,
  }
}

/** Returns the calls that count if every trace sees all others; checks that the order does not matter. */
function counting(...calls: TracedCall[]): TracedCall[] {
  const find = (among: readonly TracedCall[]): TracedCall[] => {
    const candidates = among.flatMap((one) => among.filter((other) => other !== one).map((other) => ({ one, other })))
    const verdicts = findAcrossTraces(filterAlike(candidates))
    return calls.filter((one) => verdicts.get(one)?.counted ?? true)
  }
  const found = find(calls)
  if (find(calls.toReversed()).some((one, at) => one !== found[at])) throw new Error('the order matters')
  return found
}

/** The same if each trace is settled by itself and sees its own calls as `one` only. */
function countingAlone(...calls: TracedCall[]): TracedCall[] {
  return calls.filter((call) => {
    const own = calls.filter(({ traceId }) => traceId === call.traceId)
    const candidates = own.flatMap((one) => calls.filter((other) => other !== one).map((other) => ({ one, other })))
    return findAcrossTraces(filterAlike(candidates)).get(call)?.counted ?? true
  })
}

test('one id of the response in two traces is one call, however long the framework had it', (t) => {
  const id = { responseId: 'msg_a1' }
  const around = call(framework, 0, 60_000, { ...id, outputTokens: 128 })
  const inner = call(client, 50_000, 59_000, { ...id, usageDetail: 2 })
  t.deepEqual(counting(around, inner), [inner])
  t.deepEqual(countingAlone(around, inner), [inner])
})

test('a call that does not overlap, of another scope by another id, of another workspace or of one scope is another call', (t) => {
  const id = { responseId: 'msg_1' }
  const pairs = [
    [call(framework, 0, 100, id), call(client, 200, 300, id)],
    [call(framework, 0, 100, id), call(client, 5, 90, { responseId: 'msg_2' })],
    [call(framework, 0, 100, id), call(client, 5, 90, { ...id, workspaceId: 'another' })],
    [call(framework, 0, 100, id), call(framework, 5, 90, id)],
    [call(framework, 0, 100, id), call(client, 5, 90, { ...id, kind: 'embedding' })],
    [call(null, 0, 100, id), call(null, 5, 90, id)],
  ] as const
  for (const pair of pairs) t.is(counting(...pair).length, 2)
})

test('an id from a small range, which calls may share by chance, is no proof', (t) => {
  for (const responseId of ['chatcmpl-123', 'resp_123456', 'chatcmpl-1790000000', 'cmpl-7']) {
    const one = call(framework, 0, 100, { responseId, isOutermost: false })
    const pairOf = (other: Partial<TracedCall>) =>
      counting(one, call(client, 50, 200, { responseId, isOutermost: false, ...other })).length
    t.is(pairOf({}), 1)
    t.is(pairOf({ service: 'gateway' }), 1, 'of another service, with the same counts')
    t.is(pairOf({ model: null, outputTokens: null }), 1)
    t.is(pairOf({ model: 'llama3.2' }), 2)
    t.is(pairOf({ outputTokens: 60 }), 2)
    t.is(pairOf({ isError: true }), 2)
    t.is(pairOf({ service: 'gateway', inputTokens: null, outputTokens: null }), 2)
  }
  const long = { responseId: 'chatcmpl-8f2a4c', outputTokens: 60 }
  t.is(counting(call(framework, 0, 100, { ...long, outputTokens: 50 }), call(client, 5, 90, long)).length, 1)
})

test('without an id: alike, begun together, of one service, and one of them the outermost of its trace', (t) => {
  const stream = { responseId: null, inputTokens: 0 }
  t.is(counting(call(framework, 0, 100, stream), call(client, 5, 90, { responseId: 'msg_1' })).length, 1)
  t.is(counting(call(framework, 0, 100, { isOutermost: false }), call(client, 5, 90)).length, 1)
  const others: Partial<TracedCall>[] = [
    { service: 'another' },
    { outputTokens: 60 },
    { model: 'gpt-4o' },
    { isError: true },
    { startTimeUs: 2_100_000, endTimeUs: 2_200_000 },
    { inputTokens: null, outputTokens: null },
  ]
  for (const other of others)
    t.is(counting(call(framework, 0, 10_000), call(client, 5, 9_000, other)).length, 2, JSON.stringify(other))
  t.is(counting(call(framework, 0, 100, { isOutermost: false }), call(client, 5, 90, { isOutermost: false })).length, 2)
})

test('a call that one of two traces tells without any count is one by its times alone, and others beside it are not', (t) => {
  const untold = { inputTokens: null, outputTokens: null, responseId: null }
  const zeros = { inputTokens: 0, outputTokens: 0, responseId: null }
  for (const stream of [untold, zeros]) {
    t.is(counting(call(framework, 0, 5_000), call(client, 5, 4_900, stream)).length, 1)
    t.is(counting(call(framework, 0, 5_000, stream), call(client, 5, 4_900, stream)).length, 1)
    t.is(counting(call(framework, 0, 5_000), call(client, 5, 4_600, stream)).length, 2, 'it ends earlier')
    t.is(counting(call(framework, 0, 5_000), call(client, 500, 5_000, stream)).length, 2, 'it begins later')
    // The client reports the framework's call with its counts, and a simultaneous one without counts.
    const calls = [call(framework, 0, 5_000), call(client, 5, 4_900, stream), call(client, 60, 4_990)]
    t.deepEqual(counting(...calls), calls.slice(1))
  }
  const fanOut = Array.from({ length: 10 }, (_, at) => [
    call(framework, at, 130 - at),
    call(client, at, 130 - at, untold),
  ])
  t.is(counting(...fanOut.flat()).length, 10)
})

test('a failed call in two traces is one, and one that failed before another succeeded is not', (t) => {
  const failed = { isError: true, inputTokens: null, outputTokens: null }
  t.is(counting(call(framework, 0, 100, failed), call(client, 5, 90, { ...failed, model: null })).length, 1)
  const id = { responseId: 'msg_1' }
  const calls = [call(framework, 0, 900, id), call(client, 5, 90, failed), call(client, 500, 890, id)]
  t.deepEqual(
    counting(...calls).map(({ isError }) => isError),
    [true, false],
  )
})

test('a failed call in two traces that share another call is one, and stays two in traces that share none', (t) => {
  const failed = { isError: true, inputTokens: null, outputTokens: null, isOutermost: false }
  const [run, sameRun] = [{ traceId: 'of the framework' }, { traceId: 'of the client' }]
  const retries = [0, 200, 400].flatMap((ms) => [
    call(framework, ms, ms + 100, { ...failed, ...run }),
    call(client, ms + 5, ms + 90, { ...failed, ...sameRun, model: null }),
  ])
  const answered = (responseIds: readonly string[]) => [
    call(framework, 600, 700, { ...run, responseId: responseIds[0] ?? null, isOutermost: false }),
    call(client, 605, 690, { ...sameRun, responseId: responseIds[1] ?? null, isOutermost: false }),
  ]
  const told = [...retries, ...answered(['msg_1', 'msg_1'])]
  t.is(counting(...told).length, 4)
  t.is(countingAlone(...told).length, 4)
  const apart = [...retries, ...answered(['msg_1', 'msg_2'])]
  t.is(counting(...apart).length, 8)
})

test('the span that counts has the agent of its own trace, else that of a trace which names one', (t) => {
  const agentOf = (own: string | null) => {
    const id = { responseId: 'msg_1' }
    const told = call(framework, 0, 100, { ...id, isOutermost: false, agent: 'researcher' })
    const counted = call(client, 5, 90, { ...id, usageDetail: 2, agent: own })
    const verdicts = findAcrossTraces(filterAlike([{ one: told, other: counted }]))
    return [verdicts.get(counted)?.agent, verdicts.get(told)?.agent]
  }
  t.deepEqual(agentOf(null), ['researcher', null])
  t.deepEqual(agentOf('writer'), ['writer', null])
})

test('equal calls side by side of one scope are as many; told twice, each counts once, whichever are paired', (t) => {
  const fanOut = Array.from({ length: 10 }, (_, at) => call(client, at, 100 + at))
  t.is(counting(...fanOut).length, 10)
  for (const more of [{}, { usageDetail: 1 }]) {
    // The framework's spans begin in another order than the client's.
    const told = Array.from({ length: 10 }, (_, at) => [
      call(framework, at, 130 - at),
      call(client, 10 + ((at * 7) % 10), 100 + at, more),
    ]).flat()
    t.is(counting(...told).length, 10)
    t.is(countingAlone(...told).length, 10)
    t.is(new Set(countingAlone(...told).map(({ scopeName }) => scopeName)).size, 1)
  }
})

test('two calls of one scope stay two, whatever links them by way of other scopes', (t) => {
  const own = { traceId: 'one trace' }
  const calls = Array.from({ length: 5 }, (_, at) => [
    call('a', at * 3, 100 + at, own),
    call('b', at * 2, 100 - at),
    call('c', at, 105 - at, { usageDetail: 1 }),
  ]).flat()
  t.deepEqual(
    counting(...calls).map(({ scopeName }) => scopeName),
    ['c', 'c', 'c', 'c', 'c'],
  )
})

test('where a trace tells of the call twice by itself, one of them all counts', (t) => {
  const id = { responseId: 'msg_1' }
  const own = { traceId: 'one trace', callKey: '0' }
  const calls = [
    call(framework, 0, 100, { ...own, ...id }),
    call('instrumentation.http', 1, 99, { ...own, ...id, usageDetail: 3 }),
    call(client, 5, 90, id),
  ]
  t.deepEqual(counting(...calls), [calls[1]])
})

test('one trace says which tools were called: that of the framework, else one that tells what the model asks for', (t) => {
  const id = { responseId: 'msg_1' }
  const asking = (...calls: TracedCall[]): TracedCall[] => {
    const candidates = calls.flatMap((one) => calls.filter((other) => other !== one).map((other) => ({ one, other })))
    const verdicts = findAcrossTraces(filterAlike(candidates))
    return calls.filter((one) => verdicts.get(one)?.infersTools)
  }
  const within = call(framework, 0, 100, { ...id, isOutermost: false })
  const alone = call(client, 5, 90, { ...id, tellsTools: true, usageDetail: 2 })
  t.deepEqual(asking(alone, within), [within])
  const root = call(framework, 0, 100, id)
  t.deepEqual(asking(root, alone), [alone])
  t.deepEqual(asking(root, call(client, 5, 90, { ...id, usageDetail: 2 })).length, 1)
})
