// The part of a result that counts as its content.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { ToolOptions } from '../src/tracewright.ts'
import { hmacOf, inputHashOf, openWorld } from './_client.ts'
import { type ReceivedRequest, storedResult } from './_service.ts'

type Page = { readonly words: string; readonly requestId: number }

function makePages() {
  let calls = 0
  return {
    calls: () => calls,
    fn: async (_query: string): Promise<Page> => {
      calls += 1
      return { words: 'Esjan', requestId: calls }
    },
  }
}
const contentHash = (content: string): string => hmacOf(`tracewright/content/1\n"pages"\n${content}`)
const hashIn = ({ attributes }: ReceivedRequest): unknown => attributes['tracewright.tool.content_hash']

test('results that differ only in what does not count have one content hash, and the whole is served', async (t) => {
  const { service, client } = await openWorld(t)
  const options: ToolOptions<string, Page> = { attest: true, equals: ({ words }) => ({ words }) }
  const writer = await client()
  const pages = makePages()
  const wrapped = writer.tool('pages', pages.fn, options)
  t.is((await wrapped('x')).requestId, 1)
  // Both calls may begin within one millisecond.
  const [first] = await service.received('execute_tool pages', 1)
  t.is((await wrapped('x')).requestId, 2)
  const spans = await service.received('execute_tool pages', 2)
  t.deepEqual(spans.map(hashIn), [contentHash('{"words":"Esjan"}'), contentHash('{"words":"Esjan"}')])

  const rule = { decision_id: randomUUID(), type: 'reuse_identity', tool_name: 'pages' }
  service.setRules([{ ...rule, input_hash: inputHashOf('pages', '"x"') }])
  service.store(rule.decision_id, storedResult(first as ReceivedRequest, rule.decision_id))
  const reader = await client()
  t.deepEqual(await reader.tool('pages', pages.fn, options)('x'), { words: 'Esjan', requestId: 1 })
  t.is(pages.calls(), 2)
  const changed = await client()
  await changed.tool('pages', pages.fn, { attest: true, equals: ({ words }) => [words] })('x')
  t.is(pages.calls(), 3, 'with another idea of what counts the content is another')
  t.deepEqual(changed.stats().missed, { other_content: 1 })
})

test('with redact the content is of what the agent would have been given', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const redact = (page: Page): Page => ({ ...page, words: page.words.toUpperCase() })
  await tracewright.tool('pages', makePages().fn, { attest: true, redact, equals: ({ words }) => words })('x')
  const [span] = await service.received('execute_tool pages')
  t.is(hashIn(span as ReceivedRequest), contentHash('"ESJAN"'))
})

test('with an encoder the content is of what is decoded', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  await tracewright.tool('pages', async (_query: string) => new Map([['words', 'Esjan']]), {
    attest: true,
    encode: (map) => JSON.stringify([...map]),
    decode: (text) => new Map(JSON.parse(text) as [string, string][]),
    equals: (map) => map.get('words'),
  })('x')
  const [span] = await service.received('execute_tool pages')
  t.is(hashIn(span as ReceivedRequest), contentHash('"Esjan"'))
})

test('`equals` gets a copy, so that the agent gets the unchanged result', async (t) => {
  const { client } = await openWorld(t)
  const tracewright = await client()
  const equals = (page: { words: string }): string => (page.words = 'changed')
  const page = { words: 'Esjan' }
  t.is(await tracewright.tool('pages', async (_query: string) => page, { attest: true, equals })('x'), page)
  t.is(page.words, 'Esjan')
})

const hostile: [string, string, () => unknown][] = [
  [
    'throws',
    'failed',
    () => {
      throw new Error('no part')
    },
  ],
  ['gives nothing', 'no_json_value', () => undefined],
  ['gives no JSON value', 'no_json_value', () => new Map()],
  ['gives a promise that rejects', 'no_json_value', () => Promise.reject(new Error('no part'))],
  ['gives something huge', 'too_large', () => 'x'.repeat(300_000)],
]
for (const [title, why, equals] of hostile) {
  test(`where equals ${title}, the result is not stored, and the agent gets it`, async (t) => {
    const { service, client } = await openWorld(t)
    const tracewright = await client()
    t.is((await tracewright.tool('pages', makePages().fn, { attest: true, equals })('x')).words, 'Esjan')
    t.deepEqual(tracewright.stats().unstored, { [why]: 1 })
    t.is(tracewright.stats().faults, 0)
    const [span] = await service.received('execute_tool pages')
    t.is(hashIn(span as ReceivedRequest), 'unstorable')
  })
}

test('a result whose encoder gives text with a lone surrogate is not stored, since UTF-8 cannot tell it from others', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const same = async (text: string): Promise<string> => text
  const coded = tracewright.tool('pages', same, { attest: true, encode: String, decode: String })
  for (const text of ['Esjan \ud800', 'Esjan \udc00']) t.is(await coded(text), text)
  await coded('Esjan \ud83c\udfd4')
  const spans = await service.received('execute_tool pages', 3)
  const content = 'tracewright/content/1\n"pages"\nEsjan \ud83c\udfd4'
  t.deepEqual(spans.map(hashIn), ['unstorable', 'unstorable', hmacOf(content)])
  t.deepEqual(tracewright.stats().unstored, { failed: 2 })
})

test('an encoder that gives no string, and a decoder that gives a promise, never touch the call', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([
    { decision_id: randomUUID(), type: 'reuse_identity', tool_name: 'late', input_hash: inputHashOf('late', '"x"') },
  ])
  const tracewright = await client()
  for (const encoded of [undefined, null, 7, Promise.reject(new Error('encode'))]) {
    const encode = (() => encoded) as unknown as () => string
    const tool = tracewright.tool('coded', async (_input: string) => 'result', { attest: true, encode, decode: String })
    t.is(await tool('x'), 'result')
  }
  t.is(tracewright.stats().unstored.failed, 4)
  let calls = 0
  const late = tracewright.tool(
    'late',
    async (_input: string) => {
      calls += 1
      return await Promise.resolve('result')
    },
    {
      attest: true,
      encode: String,
      decode: (async () => await Promise.reject(new Error('decode'))) as unknown as () => string,
    },
  )
  t.deepEqual([await late('x'), await late('x')], ['result', 'result'])
  t.is(calls, 2)
  t.is(tracewright.stats().missed.not_decoded, 1)
})
