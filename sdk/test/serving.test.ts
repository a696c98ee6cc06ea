import { randomUUID } from 'node:crypto'
import test from 'ava'
import { until } from '../../test/_kit/until.ts'
import { makeKeyRing } from '../src/key-ring.ts'
import type { Tracewright } from '../src/tracewright.ts'
import { hmacOf, inputHashOf, keyOf, makeCounter, openWorld, seed } from './_client.ts'
import { storedResult } from './_service.ts'

test('a real execution of an attested tool carries its hashes and its encrypted result, and nothing in plain text', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const weather = tracewright.tool('weather', async ({ city }: { city: string }) => ({ city, sky: 'Wolkenbruch' }), {
    attest: true,
    costUsd: 0.25,
  })
  t.deepEqual(await weather({ city: 'Reykjavik' }, { callId: 'call_1' }), { city: 'Reykjavik', sky: 'Wolkenbruch' })
  const [span] = await service.received('execute_tool weather')
  const { attributes } = span as NonNullable<typeof span>
  t.regex(attributes['tracewright.tool.input_hash'] as string, /^hmac-sha256:[0-9a-f]{64}$/)
  t.regex(attributes['tracewright.tool.content_hash'] as string, /^hmac-sha256:[0-9a-f]{64}$/)
  t.is(attributes['tracewright.tool.attested'], true)
  t.deepEqual(attributes['tracewright.tool.claims'], ['same_input'])
  t.is(attributes['tracewright.tool.key_id'], 'a')
  t.is(Buffer.from(attributes['tracewright.tool.iv'] as string, 'base64').length, 12)
  t.is(Buffer.from(attributes['tracewright.tool.tag'] as string, 'base64').length, 16)
  t.is(attributes['gen_ai.tool.call.id'], 'call_1')
  t.is(attributes['gen_ai.usage.cost'], 0.25)
  for (const bytes of service.sent) {
    t.false(bytes.includes('Wolkenbruch'))
    t.false(bytes.includes('Reykjavik'))
  }
})

test('a result that one client stored is served by another, without calling the tool', async (t) => {
  const { service, client } = await openWorld(t)
  const { decisionId } = await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  const served = await weather({ city: 'Oslo' }, { callId: 'call_2' })
  t.deepEqual(served, { degrees: 1, city: 'Oslo' })
  t.deepEqual(Object.keys(served), ['degrees', 'city'], 'in the order in which the tool wrote them')
  t.is(counter.calls(), 0)
  await tracewright.flush()
  const { attributes } = service.spans.at(-1) as NonNullable<(typeof service.spans)[number]>
  t.is(attributes['tracewright.tool.served'], true)
  t.is(attributes['tracewright.decision_id'], decisionId)
  t.is(attributes['gen_ai.tool.call.id'], 'call_2')
  for (const part of ['input_hash', 'content_hash', 'ciphertext', 'attested'])
    t.false(`tracewright.tool.${part}` in attributes)
  t.is(tracewright.stats().served, 1)
})

test('a result and a rule of an earlier version are served', async (t) => {
  const { service, client } = await openWorld(t)
  const inputHash = inputHashOf('weather', '{"city":"Oslo"}')
  const text = '{"degrees":7,"city":"Oslo"}'
  const contentHash = hmacOf('tracewright/content/1\n"weather"\n{"city":"Oslo","degrees":7}')
  const line = `{"v":1,"tool":"weather","input_hash":"${inputHash}","end_ms":${Date.now()},"form":"json"}`
  const keys = makeKeyRing({ keyId: 'a', key: keyOf('a') }, [])
  const sealed = await keys.seal(new TextEncoder().encode(`${line}\n${text}`), contentHash)
  const decisionId = randomUUID()
  service.setRules([{ decision_id: decisionId, type: 'reuse_identity', tool_name: 'weather', input_hash: inputHash }])
  service.store(decisionId, {
    content_hash: contentHash,
    ciphertext_b64: sealed.ciphertext,
    iv_b64: sealed.iv,
    tag_b64: sealed.tag,
    key_id: 'a',
    cached_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    decision_id: decisionId,
  })
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  t.deepEqual(await weather({ city: 'Oslo' }), { degrees: 7, city: 'Oslo' })
  t.is(counter.calls(), 0)
})

test('another input, another tool and a tool that is not attested run for real', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  await tracewright.tool('weather', counter.fn, { attest: true })({ city: 'Bergen' })
  await tracewright.tool('climate', counter.fn, { attest: true })({ city: 'Oslo' })
  await tracewright.tool('weather', counter.fn)({ city: 'Oslo' })
  t.is(counter.calls(), 3)
  t.is(service.requests.filter((request) => request.includes('tool-result')).length, 0)
  await tracewright.flush()
  const unattested = service.spans.filter(({ attributes }) => !('tracewright.tool.attested' in attributes))
  t.is(unattested.length, 1)
  t.false('tracewright.tool.ciphertext' in (unattested[0]?.attributes ?? {}))
})

test('a rule for one agent serves that agent alone', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service, {}, { agent_id: randomUUID(), agent_name: 'critic' })
  const counter = makeCounter()
  const call = async (tracewright: Tracewright): Promise<unknown> =>
    await tracewright.tool('weather', counter.fn, { attest: true })({ city: 'Oslo' })
  await call(await client())
  await call(await client({ agentName: 'writer' }))
  t.is(counter.calls(), 2)
  const known = await client({ agentName: 'critic' })
  await call(known)
  t.is(counter.calls(), 2)
  await known.agent('writer', {}, () => call(known))
  t.is(counter.calls(), 3, 'inside of the run of another agent')
  const other = await client({ agentName: 'writer' })
  await other.agent('critic', {}, () => call(other))
  t.is(counter.calls(), 3)
})

test('the holdout runs for real and says which rule it was', async (t) => {
  const { service, client } = await openWorld(t)
  const { decisionId } = await seed(service, {}, { holdout_rate: 0.25 })
  let draw = 0.99
  // The jitter of polling draws from the same source, whenever a poll ends.
  const tracewright = await client({ random: () => draw })
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  for (draw of [0.1, 0.25, 0.9, 0.24]) await weather({ city: 'Oslo' })
  t.is(counter.calls(), 2)
  t.like(tracewright.stats(), { served: 2, heldOut: 2 })
  await tracewright.flush()
  const held = service.spans.filter(({ attributes }) => attributes['tracewright.holdout'] === true)
  t.is(held.length, 2)
  for (const { attributes } of held) {
    t.is(attributes['tracewright.decision_id'], decisionId)
    t.truthy(attributes['tracewright.tool.input_hash'])
    t.truthy(attributes['tracewright.tool.ciphertext'])
  }
})

test('a result encrypted before a rotation is served by the previous key, and by no other', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const counter = makeCounter()
  const current = { keyId: 'b', key: keyOf('b') }
  const rotated = await client({ encryptionKeys: { current, previous: [{ keyId: 'a', key: keyOf('a') }] } })
  await rotated.tool('weather', counter.fn, { attest: true })({ city: 'Oslo' })
  t.is(counter.calls(), 0)
  const forgotten = await client({ encryptionKeys: { current } })
  await forgotten.tool('weather', counter.fn, { attest: true })({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.deepEqual(forgotten.stats().missed, { not_opened: 1 })
  const impostor = await client({ encryptionKeys: { current: { keyId: 'a', key: keyOf('b') } } })
  await impostor.tool('weather', counter.fn, { attest: true })({ city: 'Oslo' })
  t.is(counter.calls(), 2)
  await rotated.tool('weather', counter.fn, { attest: true })({ city: 'Bergen' })
  await rotated.flush()
  t.true(service.spans.some(({ attributes }) => attributes['tracewright.tool.key_id'] === 'b'))
  t.is(rotated.stats().served, 1)
})

test('an error of the tool passes through as it is, and leaves its kind but not its message', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client()
  const thrown = Object.assign(new RangeError('the secret of Mrs. Smith'), { extra: 1 })
  const fails = tracewright.tool('fails', () => Promise.reject(thrown), { attest: true })
  t.is(await t.throwsAsync(fails({ a: 1 })), thrown)
  const throws = tracewright.tool('throws', () => {
    throw thrown
  })
  t.is(await t.throwsAsync(throws({ a: 1 })), thrown)
  const [span] = await service.received('execute_tool fails')
  t.true(span?.isError)
  t.is(span?.attributes['error.type'], 'RangeError')
  t.false('tracewright.tool.ciphertext' in (span?.attributes ?? {}))
  await tracewright.flush()
  t.false(service.sent.some((bytes) => bytes.includes('Smith')))
})

test('redact decides what is stored, on a copy', async (t) => {
  const { service, client } = await openWorld(t)
  const writer = await client()
  const result = { id: 7, requestId: 'volatile', nested: { keep: true } }
  const redact = (copy: typeof result) => {
    copy.nested.keep = false
    return { ...copy, requestId: '' }
  }
  const options = { attest: true, redact }
  t.is(await writer.tool('lookup', async (_input: string) => result, options)('x'), result)
  t.true(result.nested.keep)
  const [span] = await service.received('execute_tool lookup')
  const decisionId = randomUUID()
  const inputHash = span?.attributes['tracewright.tool.input_hash'] as string
  service.setRules([{ decision_id: decisionId, type: 'reuse_identity', tool_name: 'lookup', input_hash: inputHash }])
  service.store(decisionId, storedResult(span as NonNullable<typeof span>, decisionId))
  const reader = await client()
  const served = await reader.tool('lookup', async (_input: string) => result, options)('x')
  t.deepEqual(served, { id: 7, requestId: '', nested: { keep: false } })
})

test('a result that is no JSON value is stored by the encoder of its tool, and by no other way', async (t) => {
  const { service, client } = await openWorld(t)
  const writer = await client()
  const fn = async (_input: string): Promise<Map<string, number>> => new Map([['a', 1]])
  const encode = (map: Map<string, number>): string => JSON.stringify([...map])
  const decode = (text: string): Map<string, number> => new Map(JSON.parse(text) as [string, number][])
  await writer.tool('plain', fn, { attest: true })('x')
  t.deepEqual(writer.stats().unstored, { no_json_value: 1 })
  const [unstored] = await service.received('execute_tool plain')
  t.is(unstored?.attributes['tracewright.tool.content_hash'], 'unstorable')
  t.false('tracewright.tool.key_id' in (unstored?.attributes ?? {}))
  await writer.tool('coded', fn, { attest: true, encode, decode })('x')
  const [span] = await service.received('execute_tool coded')
  const decisionId = randomUUID()
  const inputHash = span?.attributes['tracewright.tool.input_hash'] as string
  service.setRules([{ decision_id: decisionId, type: 'reuse_identity', tool_name: 'coded', input_hash: inputHash }])
  service.store(decisionId, storedResult(span as NonNullable<typeof span>, decisionId))
  const reader = await client()
  const never = async (_input: string): Promise<Map<string, number>> => new Map()
  t.deepEqual(await reader.tool('coded', never, { attest: true, encode, decode })('x'), new Map([['a', 1]]))
  const refusing = () => {
    throw new Error('of another version')
  }
  t.deepEqual(await reader.tool('coded', never, { attest: true, encode, decode: refusing })('x'), new Map())
  const other = await client()
  t.deepEqual(await other.tool('coded', never, { attest: true })('x'), new Map())
  for (const one of [reader, other]) t.deepEqual(one.stats().missed, { not_decoded: 1 })
})

test('a result beyond the limit is not attached, and counted as too large', async (t) => {
  const { service, client } = await openWorld(t)
  const tracewright = await client({ maxResultBytes: 1_024 })
  const big = tracewright.tool('big', async (chars: number) => 'x'.repeat(chars), { attest: true })
  t.is((await big(5_000)).length, 5_000)
  t.is((await big(1_020)).length, 1_020)
  t.is((await big(500)).length, 500)
  const spans = await service.received('execute_tool big', 3)
  t.is(spans.filter(({ attributes }) => 'tracewright.tool.ciphertext' in attributes).length, 1)
  t.deepEqual(tracewright.stats().unstored, { too_large: 2 })
})

test('changes that the agent makes to a returned result are not stored', async (t) => {
  const { service, client } = await openWorld(t)
  const writer = await client()
  const result = await writer.tool('list', async (_input: number) => ({ items: [1] }), { attest: true })(1)
  result.items.push(2)
  const [first] = await service.received('execute_tool list')
  await writer.tool('list', async (_input: number) => ({ items: [1] }), { attest: true })(1)
  const [, second] = await service.received('execute_tool list', 2)
  t.is(second?.attributes['tracewright.tool.content_hash'], first?.attributes['tracewright.tool.content_hash'])
  t.not(second?.attributes['tracewright.tool.iv'], first?.attributes['tracewright.tool.iv'])
})

test('`freshnessS` of a tool can require a younger result than the rule', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  await tracewright.tool('weather', counter.fn, { attest: true, freshnessS: 0 })({ city: 'Oslo' })
  t.is(counter.calls(), 1)
  t.deepEqual(tracewright.stats().missed, { stale: 1 })
})

test('a rule that is disabled while the client runs stops serving', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const counter = makeCounter()
  const weather = tracewright.tool('weather', counter.fn, { attest: true })
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 0)
  service.setRules([])
  await until(() => tracewright.stats().rules === 0)
  await weather({ city: 'Oslo' })
  t.is(counter.calls(), 1)
})

test('a real execution begins when its look-up is over, as the one span of the call', async (t) => {
  const { service, client } = await openWorld(t)
  await seed(service)
  const tracewright = await client()
  const weather = tracewright.tool('weather', makeCounter().fn, { attest: true })
  let answeredMs = Number.POSITIVE_INFINITY
  service.answer('result', (_request, response) => {
    const askedMs = Date.now()
    void until(() => Date.now() > askedMs).then(() => {
      answeredMs = Date.now()
      response.writeHead(404).end()
    })
  })
  await tracewright.agent('planner', {}, async () => await weather({ city: 'Oslo' }, { callId: 'call_3' }))
  t.deepEqual(tracewright.stats().missed, { refused: 1 })
  await tracewright.flush()
  const [, span, ...more] = await service.received('execute_tool weather', 2)
  const [agent] = await service.received('invoke_agent planner')
  t.deepEqual(more, [])
  t.true((span?.startMs ?? 0) >= answeredMs)
  t.is(span?.parentSpanId, agent?.spanId)
  t.is(span?.attributes['gen_ai.tool.call.id'], 'call_3')
  t.is(span?.attributes['gen_ai.agent.name'], 'planner')
})
