import test from 'ava'
import { checkToolOptions, type ToolOptions } from '../src/tool-options.ts'
import { countLookups, hmacOf, inputHashOf, makeCounter, openWorld, reuseRule } from './_client.ts'

const oslo = '{"city":"Oslo"}'
const unread = (serve: unknown): object => ({ attest: { unread: { serve } } })

test('wrapping a tool with a wrong option throws an error that names the option and not its value', async (t) => {
  const { client } = await openWorld(t)
  const tracewright = await client()
  const wrong: [object, RegExp][] = [
    [{ version: '' }, /version must be a string of 1 to 128 characters/],
    [{ version: 'secret'.repeat(22) }, /version/],
    [{ version: 2 }, /version/],
    [{ version: 'secret\n' }, /version/],
    [{ version: 'secret\ud800' }, /version/],
    [{ attest: 'secret' }, /attest/],
    [{ attest: null }, /attest/],
    [{ attest: { sameInput: 'secret' } }, /attest\.sameInput/],
    [unread('secret'), /attest\.unread\.serve/],
    [unread(undefined), /attest\.unread\.serve/],
    [unread('stored'), /'stored' requires scope/],
    [{ scope: 'secret' }, /scope must be a function/],
    [{ equals: 'secret' }, /equals must be a function/],
    [{ equals: () => 1, encode: () => '' }, /equals together with encode requires decode/],
    [{ consumedBy: 'secret' }, /consumedBy/],
    ...[Number.NaN, -1, '60', null].map((freshnessS): [object, RegExp] => [{ freshnessS }, /freshnessS must be/]),
    ...[Number.NaN, -1, '1', null].map((costUsd): [object, RegExp] => [{ costUsd }, /costUsd must be/]),
    [{ readOnly: 'secret' }, /readOnly must be a boolean/],
    [{ readOnly: null }, /readOnly must be a boolean/],
  ]
  for (const [options, message] of wrong) {
    const wrap = (): unknown => tracewright.tool('search', (input: string) => input, options)
    const error = t.throws(wrap, { instanceOf: TypeError, message }, JSON.stringify(options))
    t.true(error?.message.startsWith('tool: '))
    t.false(error?.message.includes('secret'))
  }
})

test('wrapping a value that is not a function throws an error', async (t) => {
  const { client } = await openWorld(t)
  const tracewright = await client()
  const fn = (input: string): string => input
  for (const name of ['', 'x'.repeat(257), 7 as unknown as string])
    t.throws(() => tracewright.tool(name, fn, {}), { instanceOf: TypeError, message: /the name must be/ })
  t.throws(() => tracewright.tool('search', 'fn' as unknown as typeof fn, {}), { message: /must be a function/ })
  t.throws(() => tracewright.tool('search', fn, null as unknown as object), { message: /options must be an object/ })
})

test('a claim is not implied: only the tool that states it has it', (t) => {
  const claimsOf = (options: ToolOptions<unknown, unknown>) => checkToolOptions(options).claims
  t.deepEqual(claimsOf({}), [])
  t.deepEqual(claimsOf({ attest: false }), [])
  t.deepEqual(claimsOf({ attest: {} }), [])
  t.deepEqual(claimsOf({ attest: true }), ['same_input'])
  t.deepEqual(claimsOf({ attest: { sameInput: true } }), ['same_input'])
  t.deepEqual(claimsOf({ attest: { unread: { serve: () => 1 } } }), ['unread'])
  t.deepEqual(claimsOf({ attest: { unread: { serve: 'stored' } }, scope: () => '' }), ['unread'])
})

test('each real execution says whether the tool is read-only, where the option is set; a served call does not', async (t) => {
  const { service, client } = await openWorld(t)
  const input = { city: 'Oslo' }
  service.setRules([reuseRule('served', [oslo])])
  const tracewright = await client()
  const call = async (name: string, options: ToolOptions<typeof input, unknown>): Promise<void> => {
    await tracewright.tool(name, makeCounter().fn, options)(input)
  }
  const fail = tracewright.tool('failing', () => Promise.reject(new Error('no')), { readOnly: false })
  await call('reading', { readOnly: true })
  await call('writing', { readOnly: false, attest: true })
  await call('silent', { attest: true })
  await t.throwsAsync(fail(input))
  await call('served', { readOnly: true, attest: true })
  await service.received('execute_tool served', 1)
  await call('served', { readOnly: true, attest: true })
  const saidOf = async (name: string, spans = 1) =>
    (await service.received(`execute_tool ${name}`, spans)).map(
      ({ attributes }) => attributes['tracewright.tool.read_only'],
    )
  t.deepEqual(await saidOf('reading'), [true])
  t.deepEqual(await saidOf('writing'), [false])
  t.deepEqual(await saidOf('silent'), [undefined])
  t.deepEqual(await saidOf('failing'), [false])
  t.deepEqual(await saidOf('served', 2), [true, undefined])
})

test('without version and scope the hash is that of earlier versions, and with them it is another', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const options: [ToolOptions<{ city: string }, unknown>, string][] = [
    [{}, inputHashOf('weather', oslo)],
    [{ version: '2' }, hmacOf(`tracewright/input/2\n["weather","2",null]\n${oslo}`)],
    [{ scope: () => 'user 1' }, hmacOf(`tracewright/input/2\n["weather",null,"user 1"]\n${oslo}`)],
    [{ version: '2', scope: () => '' }, hmacOf(`tracewright/input/2\n["weather","2",""]\n${oslo}`)],
  ]
  for (const [option] of options) await tracewright.tool('weather', makeCounter().fn, option)({ city: 'Oslo' })
  const spans = await service.received('execute_tool weather', options.length)
  t.deepEqual(
    spans.map(({ attributes }) => attributes['tracewright.tool.input_hash']),
    options.map(([, hash]) => hash),
  )
  t.deepEqual(
    spans.map(({ attributes }) => attributes['tracewright.tool.version']),
    [undefined, '2', undefined, '2'],
  )
  t.deepEqual(
    spans.map(({ attributes }) => 'tracewright.tool.scope_hash' in attributes),
    [false, false, true, true],
  )
})

test('a result of one version or one user is not served to another', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('weather', [oslo])])
  const tracewright = await client()
  const counter = makeCounter()
  const call = async (options: ToolOptions<{ city: string }, unknown>): Promise<number> => {
    await tracewright.tool('weather', counter.fn, { attest: true, ...options })({ city: 'Oslo' })
    return counter.calls()
  }
  t.is(await call({}), 1)
  t.is(await call({}), 1)
  t.is(await call({ version: '2' }), 2)
  t.is(await call({ scope: () => 'user 1' }), 3)
  t.is(await call({ scope: () => 'user 2' }), 4)
  t.is(await call({}), 4)
})

const scopes: [string, (input: { city: string }) => string][] = [
  [
    'throws',
    () => {
      throw new Error('no user')
    },
  ],
  ['gives no text', () => undefined as unknown as string],
  ['gives text with a lone surrogate', () => 'user \ud800'],
  ['gives a promise that rejects', () => Promise.reject(new Error('no user')) as unknown as string],
]
for (const [title, scope] of scopes) {
  test(`where the scope ${title}, the tool runs for real and its result cannot be told from no one's`, async (t) => {
    const { service, client } = await openWorld(t)
    service.setRules([reuseRule('weather', [oslo])])
    const tracewright = await client()
    const counter = makeCounter()
    const weather = tracewright.tool('weather', counter.fn, { attest: true, scope })
    await weather({ city: 'Oslo' })
    t.is((await weather({ city: 'Oslo' })).degrees, 2)
    t.is(countLookups(service), 0)
    t.is(tracewright.stats().faults, 2)
    for (const { attributes } of await service.received('execute_tool weather', 2)) {
      t.false('tracewright.tool.input_hash' in attributes)
      t.false('tracewright.tool.scope_hash' in attributes)
    }
  })
}
