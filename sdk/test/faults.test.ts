// What a program throws and returns against all custom: the agent gets what its tool gives or throws, and the process goes on.
import test from 'ava'
import { openWorld } from './_client.ts'

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
