// What a program throws and returns against all custom: the agent gets what its tool gives or throws, and the process goes on.
import test from 'ava'
import { makeClient, openWorld, reuseRule } from './_client.ts'
import { deadUrl } from './_service.ts'

const { proxy: revoked, revoke } = Proxy.revocable(new Error('revoked'), {})
revoke()
const oddErrors: [string, unknown][] = [
  ['has no name', Object.assign(new Error('x'), { name: undefined })],
  ['has a symbol for a name', Object.assign(new Error('x'), { name: Symbol('x') })],
  [
    'throws when its name is read',
    Object.defineProperty(new Error('x'), 'name', {
      get() {
        throw new RangeError('no name')
      },
    }),
  ],
  ['can no longer be looked at', revoked],
]

/** What the call throws, compared by identity alone: some of these cannot even be printed. */
async function isThrownBy(thrown: unknown, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return false
  } catch (error) {
    return error === thrown
  }
}

for (const [what, thrown] of oddErrors) {
  test(`an error that ${what} passes through unchanged`, async (t) => {
    const { service, client } = await openWorld(t)
    const tracewright = await client()
    const fail = () => Promise.reject(thrown)
    const request = { provider: 'p', model: 'm', messages: [] }
    t.true(await isThrownBy(thrown, () => tracewright.tool('odd', fail, { attest: true })(1)))
    t.true(await isThrownBy(thrown, () => tracewright.llm(request, fail)))
    t.true(await isThrownBy(thrown, () => tracewright.agent('a', {}, fail)))
    t.notThrows(() => tracewright.recordLlm(request, {}, { startMs: 1, endMs: 2, error: thrown }))
    for (const name of ['execute_tool odd', 'chat m', 'invoke_agent a']) {
      const [span] = await service.received(name)
      t.is(span?.attributes['error.type'], 'Error')
    }
  })
}

// Ava fails where one of these rejections is nobody's, as Node would end the process.
const late = () => Promise.reject(new Error('late'))
const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

test('a promise as a cost or as an answer does no harm: the call has no cost, and the results in the prompt count as read', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const costUsd = late as unknown as () => number
  t.is(await tracewright.tool('dear', async (input: number) => input, { costUsd })(1), 1)
  const messages = [{ role: 'tool', tool_call_id: 'c1', content: 'Esjan' }]
  const read = late as unknown as () => object
  t.is(await tracewright.llm({ provider: 'p', model: 'm', messages }, () => 'x', read), 'x')
  await turn()
  const [tool] = await service.received('execute_tool dear')
  t.false('gen_ai.usage.cost' in (tool?.attributes ?? {}))
  const [llm] = await service.received('chat m')
  t.deepEqual(llm?.attributes['tracewright.consumed_tool_call_ids'], ['c1'])
  t.deepEqual(llm?.attributes['tracewright.read_tool_call_ids'], ['c1'])
  t.is(tracewright.stats().faults, 1)
})

test('a promise in the place of a redacted result is not stored, though its tool has an encoder', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('secret', ['1'])])
  const tracewright = await client()
  const redact = (result: unknown): unknown => (result === 'first' ? late() : Promise.resolve(result))
  const results = ['first', 'second', 'third']
  const fn = async (_input: number): Promise<unknown> => results.shift()
  const secret = tracewright.tool('secret', fn, { attest: true, redact, encode: String, decode: String })
  t.deepEqual([await secret(1), await secret(1), await secret(1)], ['first', 'second', 'third'])
  await turn()
  t.deepEqual(tracewright.stats().unstored, { failed: 3 })
})

test('a call whose id cannot be read runs once, and gives its result', async (t) => {
  const { client } = await openWorld(t)
  const tracewright = await client()
  let calls = 0
  const count = tracewright.tool('count', async (_input: number) => ++calls)
  const about = {
    get callId(): string {
      throw new RangeError('no id')
    },
  }
  t.is(await tracewright.agent('a', {}, () => count(1, about)), 1)
  t.is(tracewright.stats().faults, 1)
})

const oddRandoms: [string, () => number][] = [
  [
    'throws',
    () => {
      throw new Error('no entropy')
    },
  ],
  ['gives no number', () => Number.NaN],
  ['gives numbers above 1', () => 7],
]
for (const [what, random] of oddRandoms) {
  test(`a source of random numbers that ${what} neither ends the process nor the holdout`, async (t) => {
    const { service, client } = await openWorld(t)
    service.setRules([reuseRule('weather', ['1'], { holdout_rate: 1 })])
    const tracewright = await client({ random })
    const weather = tracewright.tool('weather', async (input: number) => input, { attest: true })
    t.deepEqual([await weather(1), await weather(1)], [1, 1])
    t.is(tracewright.stats().heldOut, 2)
    const alone = makeClient(deadUrl, { random, flushTimeoutMs: 20 })
    t.teardown(() => alone.shutdown())
    await alone.ready(60_000)
    await alone.tool('weather', async (input: number) => input)(1)
    t.false(await alone.flush())
    await turn()
  })
}

// As the queries of some database libraries are: they begin when they are awaited.
const begin = (_done: unknown, fail: (error: Error) => void): void => fail(new Error('no table'))
const query = {} as unknown as string & object
Reflect.set(query, 'then', begin)

test('what a stub or a decoder gives is not awaited, so the call does not fail with it', async (t) => {
  const { service, client } = await openWorld(t)
  const unread = { ...reuseRule('notes', []), type: 'suppress_dead', inputs: null }
  service.setRules([reuseRule('page', ['1']), unread])
  const tracewright = await client()
  const fn = async (_input: number): Promise<string> => 'real'
  const notes = tracewright.tool('notes', fn, { attest: { unread: { serve: () => query } } })
  t.is(await notes(1, { callId: 'call' }), 'real')
  t.deepEqual(tracewright.stats().missed, { stub_failed: 1 })
  const page = tracewright.tool('page', fn, { attest: true, encode: String, decode: () => query })
  t.deepEqual([await page(1), await page(1)], ['real', 'real'])
  t.is(tracewright.stats().missed.not_decoded, 1)
})

test('a model call without a description runs', async (t) => {
  const { client } = await openWorld(t)
  const tracewright = await client()
  const nothing = undefined as never
  t.is(await tracewright.llm(nothing, () => 'x'), 'x')
  t.notThrows(() => tracewright.recordLlm(nothing, nothing, nothing))
  t.is(await tracewright.agent('a', nothing, () => 'x'), 'x')
})
