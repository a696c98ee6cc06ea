import test from 'ava'
import { inputSubject, scopeSubject, toolSubject } from '../../../src/encode/result-subjects.ts'
import { refusal } from '../../../src/serving/tool-result/answer.ts'
import type { FoundResult } from '../../../src/serving/tool-result/find-result.ts'
import { makeResultMemory } from '../../../src/serving/tool-result/memory.ts'
import { makeWanted } from './_rules.ts'

const startMs = Date.parse('2026-03-01T12:00:00Z')
const none: FoundResult = { result: null, aheadEndUs: null }

const resultAt = (atMs: number, name: string, bytes = 8): FoundResult => ({
  result: {
    startUs: atMs * 1_000,
    endUs: atMs * 1_000 + 5_000,
    contentHash: name,
    keyId: 'k',
    ciphertext: Buffer.alloc(bytes),
    iv: Buffer.alloc(12),
    tag: Buffer.alloc(16),
  },
  aheadEndUs: null,
})

/** Opens a memory over a store of one result a rule, whose look-ups end when the test lets them. */
function open({ maxBytes = 1 << 20 } = {}) {
  const clock = { nowMs: startMs, steadyMs: 0 }
  const store = new Map<string, FoundResult>()
  const state = { looks: 0, isOut: false, held: [] as (() => void)[], isHolding: false }
  const memory = makeResultMemory({
    find: async ({ key }) => {
      state.looks += 1
      const found = store.get(key) ?? none
      if (state.isHolding) await new Promise<void>((done) => state.held.push(done))
      if (state.isOut) throw new Error('away')
      return found
    },
    maxBytes,
    nowMs: () => clock.nowMs,
    steadyMs: () => clock.steadyMs,
  })
  const pass = (ms: number): void => {
    clock.nowMs += ms
    clock.steadyMs += ms
  }
  const nameOf = (body: Buffer): unknown => (JSON.parse(body.toString()) as { content_hash?: string }).content_hash
  return { memory, clock, store, state, pass, nameOf }
}

const rule = makeWanted()

test('an answer is looked up once, and so is a missing one', async (t) => {
  const { memory, store, state, nameOf } = open()
  const dead = makeWanted({ type: 'suppress_dead', hash: 's' })
  store.set(rule.key, resultAt(startMs, 'a'))
  t.is(memory.peek(rule), null)
  t.is(nameOf((await memory.read(rule)).body), 'a')
  t.is(memory.peek(rule), await memory.read(rule))
  t.is(await memory.read(dead), refusal)
  t.is(memory.peek(dead), refusal)
  t.is(state.looks, 2)
})

test('a result is never served once its execution ended longer ago than the freshness', async (t) => {
  const { memory, store, pass } = open()
  // The execution began 70 s before its end: a tool may take longer than its results stay fresh.
  const { result } = resultAt(startMs - 59_005, 'a')
  store.set(rule.key, { result: result && { ...result, startUs: result.endUs - 70_000_000 }, aheadEndUs: null })
  t.is((await memory.read(rule)).status, 200)
  pass(999)
  t.is(memory.peek(rule)?.status, 200)
  pass(1)
  t.is(memory.peek(rule), null)
  // The store of this test does not check times itself.
  t.is(await memory.read(rule), refusal)
})

test('an answer is looked up again after five seconds, and one of a single agent after one second', async (t) => {
  const { memory, pass } = open()
  const ofAgent = makeWanted({ agentId: 'a' })
  await memory.read(rule)
  await memory.read(ofAgent)
  pass(999)
  t.is(memory.peek(ofAgent), refusal)
  pass(1)
  t.is(memory.peek(ofAgent), null)
  pass(3_999)
  t.is(memory.peek(rule), refusal)
  pass(1)
  t.is(memory.peek(rule), null)
})

test('an execution that ends later is waited for', async (t) => {
  const { memory, store, pass } = open()
  store.set(rule.key, { ...resultAt(startMs, 'a'), aheadEndUs: (startMs + 300) * 1_000 })
  await memory.read(rule)
  pass(299)
  t.is(memory.peek(rule)?.status, 200)
  pass(1)
  t.is(memory.peek(rule), null)
})

test('if a newer execution ends during a look-up, the look-up is repeated, and a fresh result is served', async (t) => {
  const { memory, store, state, pass, nameOf } = open()
  store.set(rule.key, { ...resultAt(startMs - 10_000, 'old'), aheadEndUs: (startMs + 5) * 1_000 })
  state.isHolding = true
  const waits = [memory.read(rule), memory.read(rule)]
  pass(5)
  store.set(rule.key, resultAt(startMs - 1_000, 'new'))
  state.isHolding = false
  state.held[0]?.()
  for (const wait of waits) t.is(nameOf((await wait).body), 'new')
  t.is(state.looks, 2)
  t.is(nameOf(memory.peek(rule)?.body ?? Buffer.from('{}')), 'new')
})

test('if executions keep ending during look-ups, the answer is a refusal after a few', async (t) => {
  const { memory, store, state, pass } = open()
  const endNextIn = (ms: number): void =>
    void store.set(rule.key, { ...resultAt(startMs - 10_000, 'old'), aheadEndUs: (startMs + ms) * 1_000 })
  endNextIn(1)
  state.isHolding = true
  const wait = memory.read(rule)
  for (let ms = 1; ms < 10 && state.held.length > 0; ms += 1) {
    endNextIn(ms + 1)
    pass(1)
    state.held.pop()?.()
    await new Promise((done) => setImmediate(done))
  }
  t.is(await wait, refusal)
  t.true(state.looks > 1 && state.looks < 5, String(state.looks))
})

test('a notice removes exactly the answers that it names', async (t) => {
  const { memory } = open()
  const rules = {
    input: rule,
    otherInput: makeWanted({ hash: 'j' }),
    scope: makeWanted({ type: 'suppress_dead', hash: 's' }),
    agent: makeWanted({ agentId: 'a' }),
    foreign: makeWanted({ workspaceId: 'v' }),
  }
  const fill = async (): Promise<void> => {
    for (const one of Object.values(rules)) await memory.read(one)
  }
  const held = (): string[] => Object.entries(rules).flatMap(([name, one]) => (memory.peek(one) === null ? [] : name))
  await fill()
  memory.forget('w', [inputSubject('search', 'i')])
  t.deepEqual(held(), ['otherInput', 'scope', 'foreign'])
  await fill()
  memory.forget('w', [scopeSubject('search', 's'), inputSubject('fetch', 'i'), toolSubject('fetch')])
  t.deepEqual(held(), ['input', 'otherInput', 'agent', 'foreign'])
  await fill()
  memory.forget('w', [toolSubject('search')])
  t.deepEqual(held(), ['foreign'])
  await fill()
  memory.forget('w', [])
  memory.forget('u', null)
  t.is(held().length, 5)
  memory.forget('w', null)
  t.deepEqual(held(), ['foreign'])
})

test('a result that was read before a notice is not cached after it, and later callers read again', async (t) => {
  const { memory, store, state, nameOf } = open()
  store.set(rule.key, resultAt(startMs, 'old'))
  state.isHolding = true
  const before = memory.read(rule)
  const joined = memory.read(rule)
  t.is(state.looks, 1)
  store.set(rule.key, resultAt(startMs, 'new'))
  memory.forget('w', [inputSubject('search', 'i')])
  const after = memory.read(rule)
  t.is(state.looks, 2)
  // The later look-up ends first, so that the earlier one could overwrite it.
  state.held[1]?.()
  t.is(nameOf((await after).body), 'new')
  state.held[0]?.()
  t.is(nameOf((await before).body), 'old')
  t.is(nameOf((await joined).body), 'old')
  t.is(nameOf(memory.peek(rule)?.body ?? Buffer.from('{}')), 'new')
})

test('a look-up that fails rejects all waiting callers and leaves nothing in the cache', async (t) => {
  const { memory, state } = open()
  state.isOut = true
  const waits = [memory.read(rule), memory.read(rule)]
  for (const wait of waits) await t.throwsAsync(wait, { message: 'away' })
  t.is(memory.bytes(), 0)
  state.isOut = false
  t.is(await memory.read(rule), refusal)
})

test('memory is limited in bytes: the least recently used answer is evicted, and a too large one is answered without being cached', async (t) => {
  const { memory, store, state } = open({ maxBytes: 64_000 })
  const rules = Array.from({ length: 40 }, (_, nth) => makeWanted({ hash: `i${nth}` }))
  for (const one of rules) {
    store.set(one.key, resultAt(startMs, 'a', 3_000))
    await memory.read(one)
    t.true(memory.bytes() <= 64_000)
  }
  const held = rules.filter((one) => memory.peek(one) !== null)
  t.true(held.length > 5 && held.length < 20, String(held.length))
  t.deepEqual(held, rules.slice(-held.length))
  store.set(rule.key, resultAt(startMs, 'large', 100_000))
  t.is((await memory.read(rule)).status, 200)
  t.is(memory.peek(rule), null)
  const looks = state.looks
  memory.forget('w', null)
  t.is(memory.bytes(), 0)
  t.is(state.looks, looks)
})
