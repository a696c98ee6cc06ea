// What a program throws and returns against all custom: the agent gets what its tool gives or throws, and the process goes on.
import test from 'ava'
import { openWorld, reuseRule } from './_client.ts'

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
  test(`an error that ${what} passes through as it is`, async (t) => {
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

test('a promise as a cost or as the content of an answer is ignored and does no harm', async (t) => {
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
  t.false('tracewright.consumed_tool_call_ids' in (llm?.attributes ?? {}))
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
