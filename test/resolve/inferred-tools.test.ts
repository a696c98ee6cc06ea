import test from 'ava'
import type { ToolRequest } from '../../src/event/event.ts'
import { findInferredTools, type ToolSpan } from '../../src/resolve/inferred-tools.ts'
import { findGrowthFault } from '../_kit/looks.ts'

type Given = ToolSpan & { readonly counted: boolean; readonly callAt: number | null }

let nth = 0
const span = (more: Partial<Given>): Given => {
  nth += 1
  return {
    spanId: `s${nth}`,
    parentSpanId: null,
    startTimeUs: nth * 10,
    endTimeUs: nth * 10 + 5,
    kind: 'other',
    toolName: null,
    toolCallId: null,
    toolRequests: [],
    counted: true,
    callAt: -1,
    ...more,
  }
}

const request = (name: string, id: string | null = null): ToolRequest => ({ id, name })
/** A model call that requests tools; null: the span itself counts. */
const asks = (toolRequests: readonly ToolRequest[], more: Partial<Given> = {}): Given =>
  span({ kind: 'llm', toolRequests, callAt: null, ...more })
const ran = (toolName: string, toolCallId: string | null = null, more: Partial<Given> = {}): Given =>
  span({ kind: 'tool', toolName, toolCallId, ...more })

/** Returns the inferred tools by the index of the requesting span; checks that reversing the spans gives the same. */
function infer(...spans: Given[]): Record<number, readonly string[]> {
  const find = (among: readonly Given[]): Record<number, readonly string[]> => {
    const placeOf = (own: number, callAt: number): number => among.indexOf(spans[callAt < 0 ? own : callAt] as Given)
    const resolved = among.map((one, own) => {
      const at = one.callAt === null ? own : one.callAt < 0 ? -1 : placeOf(own, one.callAt)
      return { counted: one.counted, callAt: at }
    })
    const found = [...findInferredTools(among, resolved)].map(([at, names]) => [
      spans.indexOf(among[at] as Given),
      names,
    ])
    return Object.fromEntries(found) as Record<number, readonly string[]>
  }
  const straight = find(spans)
  const reversed = find(spans.toReversed())
  if (JSON.stringify(straight) !== JSON.stringify(reversed)) throw new Error('the order matters')
  return straight
}

test('a span around any report of a call repeats its requests, whichever report counts', (t) => {
  for (const counting of [0, 2]) {
    const at = (place: number): number | null => (place === counting ? null : counting)
    const framework = asks([request('search', 'c1')], { callAt: at(0), counted: counting === 0 })
    const around = asks([request('search', 'another-id')], { callAt: -1, counted: false })
    const client = asks([], { callAt: at(2), counted: counting === 2, parentSpanId: around.spanId })
    t.deepEqual(infer(framework, around, client, ran('search')), {})
    t.deepEqual(infer(framework, around, client), { [counting]: ['search'] })
  }
})

test('a request that no span reports is inferred, one that a span reports is not', (t) => {
  t.deepEqual(infer(asks([request('search', 'c1'), request('read', 'c2')])), { 0: ['search', 'read'] })
  t.deepEqual(infer(asks([request('search', 'c1')]), ran('search', 'c1')), {})
  t.deepEqual(infer(asks([request('search', 'c1')]), ran('Search docs', 'c1')), {}, 'the id is enough')
  t.deepEqual(infer(asks([request('search', 'c1')]), ran('search')), {}, 'the name is enough')
  t.deepEqual(infer(asks([request('search')]), ran('search', 'own-id')), {})
})

test('a call that the agent did not run is not inferred: another span has its id', (t) => {
  const notRun = (toolCallId: string | null): Given => span({ toolCallId, counted: false })
  t.deepEqual(infer(asks([request('web_search', 'c1'), request('search', 'c2')]), notRun('c1')), { 0: ['search'] })
  t.deepEqual(infer(asks([request('web_search', 'c1')]), notRun(null)), { 0: ['web_search'] })
  const again = [asks([request('search', 'call_0')]), notRun('call_0'), asks([request('search', 'call_0')])]
  t.deepEqual(infer(...again, ran('search', 'call_0')), {}, 'an id of two calls')
  t.deepEqual(infer(...again), { 2: ['search'] })
  t.deepEqual(infer(asks([]), notRun('call_0'), asks([request('search', 'call_0')])), { 2: ['search'] }, 'a later one')
  const two = [asks([request('search', 'call_0')]), asks([request('web_search', 'call_0')])]
  t.deepEqual(infer(...two, notRun('call_0')), { 0: ['search'] }, 'the last one before it')
  t.deepEqual(infer(...two, notRun('call_0'), ran('any', 'call_0')), {})
  t.deepEqual(infer(ran('any', 'c1'), asks([request('search', 'c1')])), {}, 'a clock that is behind')
  t.deepEqual(infer(asks([request('a', 'c1')]), ran('a', 'c1'), notRun('c1'), asks([request('a')])), { 3: ['a'] })
})

test('of two requests with one id, a tool span reports the one that asks for its tool', (t) => {
  const both = [asks([request('search', 'call_0')]), asks([request('fetch', 'call_0')])]
  t.deepEqual(infer(...both, ran('search', 'call_0')), { 1: ['fetch'] })
  t.deepEqual(infer(...both, ran('fetch', 'call_0')), { 0: ['search'] })
})

test('each span reports one request: of three of one name, one that ran leaves two', (t) => {
  const three = [request('search', 'c1'), request('search', 'c2'), request('search', 'c3')]
  t.deepEqual(infer(asks(three), ran('search')), { 0: ['search', 'search'] })
  t.deepEqual(infer(asks(three), ran('search', 'c2')), { 0: ['search', 'search'] })
  const again = ran('search', 'c2', { counted: false })
  t.deepEqual(infer(asks(three), ran('search', 'c2'), again), { 0: ['search', 'search'] }, 'a second report is none')
})

test('a tool of another name counts only between the call that asks and the next call', (t) => {
  const handoff = [request('transfer_to_researcher', 'c1')]
  t.deepEqual(infer(asks(handoff), ran('handoff to researcher'), asks([])), {})
  t.deepEqual(infer(asks(handoff), asks([]), ran('retrieve')), { 0: ['transfer_to_researcher'] })
  t.deepEqual(infer(ran('retrieve'), asks(handoff)), { 1: ['transfer_to_researcher'] })
})

test('spans that report one call ask once, whatever ids they give', (t) => {
  const twice = [asks([request('search', 'call_1')]), asks([request('search', 'fc_1')], { callAt: 0, counted: false })]
  t.deepEqual(infer(...twice), { 0: ['search'] })
  const nameless = [asks([request('search')]), asks([request('search')], { callAt: 0, counted: false })]
  t.deepEqual(infer(...nameless), { 0: ['search'] })
  t.deepEqual(
    infer(asks([request('search')]), asks([request('search')])),
    { 0: ['search'], 1: ['search'] },
    'two calls',
  )
})

test('a span around a call asks only where the call within says nothing', (t) => {
  const wraps = (inner: readonly ToolRequest[]): Given[] => {
    const outer = asks([request('search', 'c1')], { callAt: -1, counted: false })
    return [outer, asks(inner, { parentSpanId: outer.spanId })]
  }
  t.deepEqual(infer(...wraps([])), { 0: ['search'] })
  t.deepEqual(infer(...wraps([request('search', 'other')])), { 1: ['search'] })
})

test('a span inside of the call that says the same asks for nothing more, and calls side by side each ask', (t) => {
  const outer = asks([request('search')])
  const inner = asks([request('search')], { parentSpanId: outer.spanId, callAt: -1, counted: false })
  t.deepEqual(infer(outer, inner), { 0: ['search'] })
  const wrapper = asks([], { callAt: -1, counted: false })
  const within = (): Given => asks([request('search', 'call_0')], { parentSpanId: wrapper.spanId })
  t.deepEqual(
    infer(wrapper, within(), within()),
    { 1: ['search'], 2: ['search'] },
    'ids that begin anew with each answer',
  )
})

test('each of two requests with one id has to be reported, and by a span that began after the call', (t) => {
  const answers = (): Given => asks([request('search', 'call_0')])
  t.deepEqual(infer(answers(), ran('search', 'call_0'), answers(), ran('search', 'call_0')), {})
  t.deepEqual(infer(asks([request('w', '0'), request('x', '0')]), ran('w', '0')), { 0: ['x'] })
  t.deepEqual(infer(ran('search'), asks([request('search')])), { 1: ['search'] })
})

test('a trace of thousands of spans takes linear time', (t) => {
  const make = (count: number): ToolSpan[] =>
    Array.from({ length: count }, (_, at) =>
      at % 2 === 0 ? asks([request(`tool ${at % 7}`, `c${at}`)]) : ran(`other ${at % 5}`),
    )
  const run = (spans: readonly ToolSpan[]) =>
    findInferredTools(
      spans,
      spans.map(({ kind }, at) => ({ counted: true, callAt: kind === 'llm' ? at : -1 })),
    )
  const spans = make(32_000)
  t.is(
    findGrowthFault((size) => run(spans.slice(0, size)), spans.length),
    null,
  )
})
